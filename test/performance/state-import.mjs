// Part of `npm run bench state`: the same blocks, with transfers to random accounts and of a token to random holders,
// imported into both layouts of states.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeBlock, loadCrypto, parseHex } from "@plinth/core";
import { decodeBlock, decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import storageLevel from "@plinth/plugin-storage-level";
import { median } from "./measured.mjs";
import { compact } from "./peers/compact.mjs";
import { slotOf, TOKEN, TOKEN_CODE, tokenTransferTo, transferTo } from "./token.mjs";

const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 100_000);
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 1000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PER_BLOCK = Number(process.env.BENCH_PER_BLOCK ?? 100);
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";

/** Imports of each layout and what they take on the disk after compaction, as rows against FOREST. */
export async function benchLayouts() {
  await loadCrypto();
  const genesis = makeGenesis();
  const rows = [];
  for (const [kind, describe] of [
    ["transfers", transferTo],
    ["token transfers", tokenTransferTo],
  ]) {
    const blocks = await makeBlocks(genesis, describe);
    // In turns, so that a slow moment affects both.
    const found = { FOREST: [], BONSAI: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const dataStorageFormat of ["FOREST", "BONSAI"]) {
        found[dataStorageFormat].push(await importBlocks(genesis, blocks, { dataStorageFormat }));
      }
    }
    const middle = (format, figure) => median(found[format].map((each) => each[figure]));
    const what = `BONSAI, ${ACCOUNTS.toLocaleString("en")} accounts`;
    const compare = (text, figure, bound) =>
      rows.push([`${what}, ${text}`, middle("BONSAI", figure), middle("FOREST", figure), bound]);
    compare(`imported ${kind}`, "perSecond", "≥ 1.3");
    compare(`bytes per ${kind.slice(0, -1)}`, "bytes", "≤ 0.3");
    if (kind !== "transfers") continue;
    const few = { dataStorageFormat: "BONSAI", history: "1000" };
    const { bytes } = await importBlocks(genesis, blocks, few);
    const text = `${what}, bytes per transfer with --history=1000`;
    rows.push([text, bytes, middle("FOREST", "bytes"), "≤ 0.3"]);
  }
  return rows;
}

function makeGenesis() {
  const alloc = { [ALICE]: { balance: String(10n ** 30n) } };
  const storage = { [slotOf(ALICE)]: "0xffffffffffff" };
  for (let account = 0; account < ACCOUNTS; account++) {
    alloc[addressOf(account)] = { balance: "0x1" };
    storage[slotOf(addressOf(account))] = "0x1";
  }
  alloc[TOKEN] = { code: TOKEN_CODE, storage };
  return {
    config: { chainId: 1337, shanghaiTime: 0, dev: {} },
    gasLimit: "0x5f5e1000",
    baseFeePerGas: "0x7",
    alloc,
  };
}

function addressOf(account) {
  return `0x${account.toString(16).padStart(40, "f")}`;
}

async function makeBlocks(genesis, describe) {
  const options = { keyValueStorage: "memory" };
  const node = await createNode({ plugins: [evmPlinth, consensusDev], options, genesis });
  await node.open();
  const made = [];
  let seed = 1;
  for (let block = 0; block < BLOCKS; block++) {
    const candidates = Array.from({ length: PER_BLOCK }, (_, index) => {
      seed = (seed * 48_271) % 2_147_483_647;
      const fields = {
        chainId: 1337n,
        nonce: BigInt(block * PER_BLOCK + index),
        gasPrice: 1_000_000_000n,
        ...describe(addressOf(seed % ACCOUNTS)),
      };
      return decodeTransaction(signTransaction(fields, KEY));
    });
    const built = await node.blocks.build({ timestamp: BigInt(block + 1), candidates });
    await node.blocks.submit(built);
    made.push(encodeBlock(built.block));
  }
  await node.stop();
  return made;
}

async function importBlocks(genesis, blocks, layout) {
  const dataPath = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const plugins = [storageLevel, evmPlinth, consensusDev];
  const open = async () => {
    const node = await createNode({ plugins, options: { dataPath, ...layout }, genesis });
    await node.open();
    return node;
  };
  await (await open()).stop();
  const before = await compactedSize(dataPath);
  const node = await open();
  const begun = performance.now();
  let last = Promise.resolve();
  for (const bytes of blocks) {
    const imported = node.blocks.import(decodeBlock(bytes), { origin: "file" });
    await last;
    last = imported;
  }
  await last;
  const seconds = (performance.now() - begun) / 1000;
  await node.stop();
  const count = blocks.length * PER_BLOCK;
  const bytes = Math.round(((await compactedSize(dataPath)) - before) / count);
  rmSync(dataPath, { recursive: true, force: true });
  return { perSecond: Math.round(count / seconds), bytes };
}

async function compactedSize(dataPath) {
  await compact(join(dataPath, "database"));
  return sizeOf(dataPath);
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size,
      0,
    );
}
