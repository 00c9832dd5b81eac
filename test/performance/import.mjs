// `npm run bench import`: blocks with 1,000 transfers each, of ether and of a token, imported by this node and by
// stock EthereumJS (`runBlock` with its own crypto, its state manager with all caches, on LevelDB), in one run.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeBlock, loadCrypto, parseHex } from "@plinth/core";
import { decodeBlock, decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import storageLevel from "@plinth/plugin-storage-level";
import { importStock } from "./peers/stock-import.mjs";

const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 10);
const PER_BLOCK = 1000;
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const BALANCE = 10n ** 24n;
const GENESIS = {
  config: { chainId: 1337, shanghaiTime: 0, dev: {} },
  gasLimit: "0x5f5e100",
  baseFeePerGas: "0x7",
  alloc: { [ALICE]: { balance: String(BALANCE) } },
};

const TOKEN = fileURLToPath(new URL("../clients/contracts/dist/Token.json", import.meta.url));
/** The first contract of Alice's. */
const TOKEN_ADDRESS = "0x42699a7612a82f1d9c36148af9c77354759b210b";
const TRANSFER = "a9059cbb";

/** Transactions per second of both, on the same blocks, for either kind of transfer. */
export async function compareImports() {
  await loadCrypto();
  const results = [{ what: "transfers", ...(await compare([], transfer)) }];
  if (existsSync(TOKEN)) {
    results.push({ what: "ERC-20 transfers", ...(await compare([deployToken()], moveToken)) });
  } else {
    console.log("import, ERC-20 transfers: skipped, `npm run clients` compiles the token");
  }
  return results;
}

/** Runs blocks that start with some transactions and continue with many of one kind. */
async function compare(first, make) {
  const blocks = await makeBlocks(first, make);
  const ours = await timeOurs(blocks);
  const seconds = await importStock(blocks, { address: ALICE, balance: BALANCE });
  const stock = Math.round((blocks.length * PER_BLOCK) / seconds);
  return { ours, stock };
}

async function makeBlocks(first, make) {
  const node = await createNode({
    plugins: [evmPlinth, consensusDev],
    options: { keyValueStorage: "memory" },
    genesis: GENESIS,
  });
  await node.open();
  const { blocks } = node;
  const made = [];
  const many = Array.from({ length: BLOCKS * PER_BLOCK }, (_, index) =>
    make(BigInt(first.length + index)),
  );
  const transactions = [...first, ...many];
  for (let from = 0; from < transactions.length; from += PER_BLOCK) {
    const candidates = transactions.slice(from, from + PER_BLOCK);
    const built = await blocks.build({ timestamp: BigInt(made.length + 1), candidates });
    await blocks.submit(built);
    const { receipts } = built.execution;
    if (receipts.length < candidates.length || receipts.some(({ status }) => status !== 1)) {
      throw new Error("a transaction of the benchmark failed");
    }
    made.push(encodeBlock(built.block));
  }
  await node.stop();
  return made;
}

function transfer(nonce) {
  return sign({ nonce, to: `0x${recipientOf(nonce)}`, value: 1n, gasLimit: 21_000n });
}

function deployToken() {
  const { bytecode } = JSON.parse(readFileSync(TOKEN, "utf8"));
  const supply = (10n ** 30n).toString(16).padStart(64, "0");
  return sign({ nonce: 0n, data: parseHex(`${bytecode}${supply}`), gasLimit: 3_000_000n });
}

function moveToken(nonce) {
  const words = [recipientOf(nonce).padStart(64, "0"), "1".padStart(64, "0")];
  const data = parseHex(`${TRANSFER}${words.join("")}`);
  return sign({ nonce, to: TOKEN_ADDRESS, data, gasLimit: 80_000n });
}

function recipientOf(nonce) {
  return (nonce % 5000n).toString(16).padStart(40, "f");
}

function sign(fields) {
  const rest = { chainId: 1337n, value: 0n, gasPrice: 1_000_000_000n, data: new Uint8Array() };
  return decodeTransaction(signTransaction({ ...rest, ...fields }, KEY));
}

async function timeOurs(blocks) {
  const dataPath = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const node = await createNode({
    plugins: [storageLevel, evmPlinth, consensusDev],
    options: { dataPath },
    genesis: GENESIS,
  });
  await node.open();
  const begun = performance.now();
  // Like `blocks import`: one is read while the previous one is executed.
  let before = Promise.resolve();
  for (const bytes of blocks) {
    const imported = node.blocks.import(decodeBlock(bytes), { origin: "file" });
    await before;
    before = imported;
  }
  await before;
  const seconds = (performance.now() - begun) / 1000;
  await node.stop();
  rmSync(dataPath, { recursive: true, force: true });
  return Math.round((blocks.length * PER_BLOCK) / seconds);
}
