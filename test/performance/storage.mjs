// `npm run bench storage`: blocks of one transfer, import and reads for the three modes of
// --sync-writes, with the checks of values on and off, in one run. The peer of each is the same
// node without syncs and checks.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeBlock, loadCrypto, parseHex } from "@plinth/core";
import { decodeBlock, decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import storageLevel from "@plinth/plugin-storage-level";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SMALL_BLOCKS = 500;
const LARGE_BLOCKS = 12;
const PER_BLOCK = 1000;
const READS = 20_000;
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const GENESIS = {
  config: { chainId: 1337, shanghaiTime: 0, dev: {} },
  gasLimit: "0x5f5e100",
  baseFeePerGas: "0x7",
  alloc: { "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73": { balance: String(10n ** 24n) } },
};
/** The default and its peer are last and consecutive: other work of the machine affects both. */
const KINDS = [
  ["always", true],
  ["always", false],
  ["grouped", false],
  ["none", true],
  ["grouped", true],
  ["none", false],
].map(([syncWrites, XleveldbChecksEnabled]) => ({ syncWrites, XleveldbChecksEnabled }));

/** Rows of `[what, value, peer, ratio]`, values per second. */
export async function benchStorage() {
  await loadCrypto();
  const blocks = await makeBlocks();
  const measured = new Map(KINDS.map((kind) => [kind, { small: [], large: [], reads: [] }]));
  for (let round = 0; round < ROUNDS; round++) {
    // Every other round runs backwards, so that none always follows the same.
    for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
      const figures = await measure(kind, blocks);
      for (const [name, value] of Object.entries(figures)) measured.get(kind)[name].push(value);
    }
  }
  const peer = measured.get(KINDS.at(-1));
  return [...measured].flatMap(([{ syncWrites, XleveldbChecksEnabled: checks }, figures]) =>
    Object.entries(figures).map(([name, values]) => {
      const what = `${NAMES[name]}, ${syncWrites}, checks ${checks ? "on" : "off"}`;
      const rounds = values.map((ours, round) => [ours, peer[name][round]]);
      const byRatio = rounds.toSorted(([a, b], [c, d]) => b / a - d / c);
      const [ours, theirs] = byRatio[Math.floor(rounds.length / 2)];
      return [what, ours, theirs, theirs / ours];
    }),
  );
}

const NAMES = {
  small: "blocks of one transfer/s",
  large: "transfers imported/s",
  reads: "accounts read/s",
};

async function measure(options, blocks) {
  const dataPath = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  try {
    const first = await open(dataPath, options);
    const small = SMALL_BLOCKS / (await importAll(first, blocks.slice(0, SMALL_BLOCKS)));
    const large = (LARGE_BLOCKS * PER_BLOCK) / (await importAll(first, blocks.slice(SMALL_BLOCKS)));
    await first.stop();
    // Opened again, so that reads go to the tables.
    await (await open(dataPath, options)).stop();
    const second = await open(dataPath, options);
    const reads = READS / readAccounts(second);
    await second.stop();
    return { small, large, reads };
  } finally {
    rmSync(dataPath, { recursive: true, force: true });
  }
}

async function open(dataPath, options) {
  const node = await createNode({
    plugins: [storageLevel, evmPlinth, consensusDev],
    options: { dataPath, ...options },
    genesis: GENESIS,
  });
  await node.open();
  return node;
}

async function importAll({ blocks }, encoded) {
  const decoded = encoded.map(decodeBlock);
  const begun = performance.now();
  for (const block of decoded) await blocks.import(block, { origin: "file" });
  return (performance.now() - begun) / 1000;
}

/** Every read opens a new state, so that only trie nodes may be cached. */
function readAccounts({ blocks }) {
  const head = blocks.head();
  const begun = performance.now();
  for (let n = 0; n < READS; n++) {
    const address = recipientOf(BigInt((n * 7919) % (LARGE_BLOCKS * PER_BLOCK)));
    blocks.stateAt(head).findAccount(`0x${address}`);
  }
  return (performance.now() - begun) / 1000;
}

async function makeBlocks() {
  const node = await createNode({
    plugins: [evmPlinth, consensusDev],
    options: { keyValueStorage: "memory" },
    genesis: GENESIS,
  });
  await node.open();
  const sizes = [...Array(SMALL_BLOCKS).fill(1), ...Array(LARGE_BLOCKS).fill(PER_BLOCK)];
  let nonce = 0n;
  const made = [];
  for (const size of sizes) {
    const candidates = Array.from({ length: size }, () => transfer(nonce++));
    const built = await node.blocks.build({ timestamp: BigInt(made.length + 1), candidates });
    await node.blocks.submit(built);
    made.push(encodeBlock(built.block));
  }
  await node.stop();
  return made;
}

function transfer(nonce) {
  const to = `0x${recipientOf(nonce)}`;
  const rest = { chainId: 1337n, value: 1n, gasPrice: 1_000_000_000n, data: new Uint8Array() };
  return decodeTransaction(signTransaction({ ...rest, nonce, to, gasLimit: 21_000n }, KEY));
}

function recipientOf(nonce) {
  return nonce.toString(16).padStart(40, "f");
}
