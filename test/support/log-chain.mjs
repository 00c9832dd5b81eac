// A node whose chain of logs grows and is reorganized until the process is killed (`work`), one
// that compares the results of searches with a scan of every log (`verify`), and the command that
// writes the cache files (`generate`). Files have few blocks here, so that there are many; that is
// not an option, so the plugin is created here.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { definePlugin } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { createNode, runCommand } from "@plinth/node";
import { registerBloomCache, registerLogIndex } from "@plinth/plugin-log-index/api";
import rpcEth from "@plinth/plugin-rpc-eth";
import storageLevel from "@plinth/plugin-storage-level";
import { ALICE, createTestNode, DEV_GENESIS, devChain } from "@plinth/testing";
import {
  createRandom,
  logCode,
  matching,
  placeOf,
  randomQuery,
  toQuantity,
  toWord,
} from "./log-queries.mjs";

const SEGMENT = 16;
const QUERIES = 100;
/** Number of blocks before a node reports that it is working. */
const READY_AT = 2 * SEGMENT;
const MAX_BACK = 40;
/** The pool accepts no more than 200 of one sender. */
const MAX_WAITING = 150;
const ADDRESSES = [0, 1, 2, 3, 4].map((count) => `0x${count.toString(16).padStart(40, "c")}`);
const TOPICS = Array.from({ length: 12 }, (_, value) => toWord(value));
const CODES = ADDRESSES.map((address, count) => [address, { code: logCode(count) }]);
const GENESIS = { ...DEV_GENESIS, alloc: { ...DEV_GENESIS.alloc, ...Object.fromEntries(CODES) } };

const [what, folder, seed = "0", ...words] = process.argv.slice(2);
const random = createRandom(Number(seed));
await { work, verify, generate }[what]();

/** Changes the chain and its cache in every possible way, forever or for this many blocks. */
async function work() {
  const count = Number(words.find((word) => word.startsWith("blocks="))?.slice(7) ?? Infinity);
  const node = await start({
    hasIndex: words.includes("index"),
    isAutomatic: words.includes("blooms"),
  });
  const { blocks } = node.node;
  const heads = [];
  let isReady = false;
  while (blocks.head().number < count) {
    // A node that is killed before has nothing to find.
    if (!isReady && blocks.head().number >= READY_AT) {
      process.stdout.write("ready\n");
      isReady = true;
    }
    const kind = count === Infinity ? random(20) : 0;
    if (kind < 15) await node.mine((await countWaiting(node)) > MAX_WAITING ? [] : randomLogs());
    else if (kind === 15) await goBack(blocks);
    else if (kind === 16 && heads.length > 0) await blocks.setHead(heads[random(heads.length)]);
    else if (kind === 17) await node.rpc("admin_generateLogBloomCache", ["0x0"]);
    else if (kind === 18) await removeCache(node, random(head(blocks)));
    else await node.rpc("eth_getLogs", [queryOn(blocks)]);
    heads.push(blocks.head().hash);
    if (heads.length > MAX_BACK) heads.shift();
  }
  await isCaughtUp(blocks);
  await node.stop();
}

/** Rejected while the cache is being generated. */
async function removeCache(node, from) {
  try {
    await node.rpc("admin_logsRemoveCache", [toQuantity(from)]);
  } catch (error) {
    if (!error.message.startsWith("The log bloom cache is being generated")) throw error;
  }
}

/** Transactions of removed blocks, which go into the next one. */
async function countWaiting({ rpc }) {
  const countAt = async (tag) => Number(await rpc("eth_getTransactionCount", [ALICE.address, tag]));
  return (await countAt("pending")) - (await countAt("latest"));
}

function randomLogs() {
  return Array.from({ length: random(4) }, () => {
    const topics = Array.from({ length: random(5) }, () => TOPICS[random(TOPICS.length - 2)]);
    const data = topics.map((topic) => topic.slice(2)).join("");
    return { to: ADDRESSES[topics.length], data, gasLimit: 100_000n };
  });
}

async function goBack(blocks) {
  const number = Math.max(0, head(blocks) - 1 - random(1 + random(MAX_BACK)));
  await blocks.setHead(blocks.findHeader(BigInt(number)).hash);
}

function head(blocks) {
  return Number(blocks.head().number);
}

function queryOn(blocks) {
  const hashOf = (number) => blocks.findHeader(BigInt(number)).hash;
  const chain = { addresses: ADDRESSES, topics: TOPICS, head: head(blocks), hashOf };
  return randomQuery(random, chain);
}

/** Compares before anything is repaired and after everything is; prints what it saw. */
async function verify() {
  const node = await start({ hasIndex: true, isAutomatic: true });
  const { blocks } = node.node;
  const early = await compare(node);
  await isCaughtUp(blocks);
  const late = await compare(node);
  const files = verifyFiles(blocks);
  process.stdout.write(JSON.stringify({ head: head(blocks), found: early + late, files }));
  await node.stop();
}

/** Returns how many logs were found; throws if they differ from those of a full scan. */
async function compare(node) {
  const { blocks } = node.node;
  const logs = allLogs(blocks);
  let count = 0;
  for (let done = 0; done < QUERIES; done++) {
    const query = queryOn(blocks);
    const found = (await node.rpc("eth_getLogs", [query])).map(placeOf);
    const wanted = matching(logs, query, head(blocks)).map(placeOf);
    if (found.join() !== wanted.join()) {
      const details = JSON.stringify({ query, found, wanted, head: head(blocks) });
      throw new Error(`a search finds other logs than there are: ${details}`);
    }
    count += found.length;
  }
  return count;
}

/** Every log of the chain, from its receipts. */
function allLogs(blocks) {
  const headers = Array.from({ length: head(blocks) + 1 }, (_, number) =>
    blocks.findHeader(BigInt(number)),
  );
  return headers.flatMap(({ hash, number }) =>
    blocks
      .findReceipts(hash)
      .flatMap((receipt) => receipt.logs)
      .map(({ address, topics }, logIndex) => ({
        address,
        topics,
        logIndex,
        blockHash: hash,
        blockNumber: toQuantity(number),
      })),
  );
}

/** Waits until blooms and index have every block. */
async function isCaughtUp(blocks) {
  for (let number = 0n; number <= blocks.head().number; number++) {
    while (blocks.blooms?.read(number) === undefined) await setImmediate();
  }
  const criteria = { addresses: [ADDRESSES[0]], topics: [] };
  const { number: to } = blocks.head();
  for (let from = 0n; blocks.candidates !== undefined && from <= to; ) {
    const { numbers, next } = await blocks.candidates.find(criteria, { from, to });
    if (numbers !== undefined) from = next;
    else await setImmediate();
  }
}

/** Returns the number of files; throws if one has blooms that are not the chain's. */
function verifyFiles(blocks) {
  const caches = join(folder, "caches");
  const names = readdirSync(caches).filter((name) => /^logBloom-\d+\.cache$/.test(name));
  for (const name of names) {
    const first = Number(/\d+/.exec(name)[0]) * SEGMENT;
    const bytes = readFileSync(join(caches, name));
    const blooms = Array.from(
      { length: bytes.length / 256 },
      (_, index) => blocks.findHeader(BigInt(first + index)).logsBloom,
    );
    if (!bytes.equals(Buffer.concat(blooms))) throw new Error(`${name} is not of this chain`);
  }
  return names.length;
}

/** `operator generate-log-bloom-cache`. */
async function generate() {
  const node = await createNode({
    plugins: [storageLevel, ...devChain, logIndex({ isAutomatic: false, hasIndex: false })],
    options: { dataPath: folder },
    genesis: GENESIS,
  });
  const command = node.commands().find(({ plugin }) => plugin === "log-index").item;
  const io = { read: async () => "", write: async (text) => void process.stdout.write(text) };
  await runCommand(node, command, {
    flags: { startBlock: 0 },
    args: [],
    io,
    log: silentLogs.for(""),
  });
}

function start(settings) {
  return createTestNode({
    plugins: [storageLevel, rpcEth, logIndex(settings)],
    options: {
      keyValueStorage: "leveldb",
      dataPath: folder,
      devPeriodSeconds: 3600,
      rpcMaxLogsRange: 0,
    },
    genesis: GENESIS,
  });
}

function logIndex({ isAutomatic, hasIndex }) {
  return definePlugin({
    name: "log-index",
    setup(node) {
      registerBloomCache(node, { isAutomatic, segmentBlocks: SEGMENT, delayMs: 0 });
      registerLogIndex(node, { isEnabled: hasIndex });
    },
  });
}
