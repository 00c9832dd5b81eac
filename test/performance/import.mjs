// `npm run bench import`: blocks with 1,000 transfers each, imported by this node and by stock EthereumJS
// (`runBlock` with its own crypto, its state manager with all caches, on LevelDB), in one run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createNode,
  decodeBlock,
  decodeTransaction,
  encodeBlock,
  findBytes,
  loadCrypto,
  signTransaction,
} from "@plinth/core";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmEthereumJs from "@plinth/plugin-evm-ethereumjs";
import storageLevel from "@plinth/plugin-storage-level";
import { importStock } from "./peers/stock-import.mjs";

const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 10);
const PER_BLOCK = 1000;
const KEY = findBytes("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const BALANCE = 10n ** 24n;
const GENESIS = {
  config: { chainId: 1337, londonBlock: 0, dev: {} },
  gasLimit: "0x5f5e100",
  baseFeePerGas: "0x7",
  alloc: { [ALICE]: { balance: String(BALANCE) } },
};

/** Transactions per second of both, on the same blocks. */
export async function compareImports() {
  await loadCrypto();
  const blocks = await makeBlocks();
  const ours = await timeOurs(blocks);
  const seconds = await importStock(blocks, { address: ALICE, balance: BALANCE });
  const stock = Math.round((blocks.length * PER_BLOCK) / seconds);
  return { ours, stock };
}

async function makeBlocks() {
  const node = await createNode({
    plugins: [evmEthereumJs, consensusDev],
    options: { keyValueStorage: "memory" },
    genesis: GENESIS,
  });
  await node.open();
  const { blocks } = node;
  const made = [];
  for (let number = 1; number <= BLOCKS; number++) {
    const candidates = Array.from({ length: PER_BLOCK }, (_, index) =>
      transfer(BigInt((number - 1) * PER_BLOCK + index)),
    );
    const built = await blocks.build({ timestamp: BigInt(number), candidates });
    await blocks.submit(built);
    made.push(encodeBlock(built.block));
  }
  await node.stop();
  return made;
}

function transfer(nonce) {
  const to = `0x${(nonce % 5000n).toString(16).padStart(40, "f")}`;
  const fields = { chainId: 1337n, nonce, gasLimit: 21_000n, to, value: 1n };
  return decodeTransaction(
    signTransaction({ ...fields, gasPrice: 1_000_000_000n, data: new Uint8Array() }, KEY),
  );
}

async function timeOurs(blocks) {
  const dataPath = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const node = await createNode({
    plugins: [storageLevel, evmEthereumJs, consensusDev],
    options: { dataPath },
    genesis: GENESIS,
  });
  await node.open();
  const begun = performance.now();
  for (const bytes of blocks) await node.blocks.import(decodeBlock(bytes));
  const seconds = (performance.now() - begun) / 1000;
  await node.stop();
  rmSync(dataPath, { recursive: true, force: true });
  return Math.round((blocks.length * PER_BLOCK) / seconds);
}
