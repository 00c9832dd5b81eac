// Imports of the same blocks into both layouts of states, in one run: transfers and token transfers among many accounts.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeBlock, loadCrypto, parseHex } from "@plinth/core";
import { decodeBlock, decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import storageLevel from "@plinth/plugin-storage-level";

const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 100_000);
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 100);
const PER_BLOCK = Number(process.env.BENCH_PER_BLOCK ?? 100);
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";

/** Transfers per second and bytes per transfer of each layout. */
export async function compareLayouts() {
  await loadCrypto();
  const genesis = makeGenesis();
  const blocks = await makeBlocks(genesis);
  const results = [];
  for (const options of [
    { dataStorageFormat: "FOREST" },
    { dataStorageFormat: "BONSAI" },
    { dataStorageFormat: "BONSAI", history: "1000" },
  ]) {
    results.push({ ...options, ...(await importBlocks(genesis, blocks, options)) });
  }
  return results;
}

function makeGenesis() {
  const alloc = { [ALICE]: { balance: String(10n ** 30n) } };
  for (let account = 0; account < ACCOUNTS; account++) {
    alloc[`0x${addressOf(account)}`] = { balance: "0x1" };
  }
  return {
    config: { chainId: 1337, shanghaiTime: 0, dev: {} },
    gasLimit: "0x5f5e1000",
    baseFeePerGas: "0x7",
    alloc,
  };
}

function addressOf(account) {
  return account.toString(16).padStart(40, "f");
}

async function makeBlocks(genesis) {
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
        to: `0x${addressOf(seed % ACCOUNTS)}`,
        value: 1n,
        gasLimit: 21_000n,
        gasPrice: 1_000_000_000n,
        data: new Uint8Array(),
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
  const node = await open();
  const before = sizeOf(dataPath);
  const begun = performance.now();
  const cpu = process.cpuUsage();
  let last = Promise.resolve();
  for (const bytes of blocks) {
    const imported = node.blocks.import(decodeBlock(bytes), { origin: "file" });
    await last;
    last = imported;
  }
  await last;
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await node.stop();
  const bytes = (sizeOf(dataPath) - before) / (blocks.length * PER_BLOCK);
  rmSync(dataPath, { recursive: true, force: true });
  const count = blocks.length * PER_BLOCK;
  return {
    perSecond: Math.round(count / seconds),
    cpuMicros: Math.round((user + system) / count),
    bytes: Math.round(bytes),
  };
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}

console.table(await compareLayouts());
