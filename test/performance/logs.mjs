// `npm run bench logs`: a chain of 100,000 blocks (LOGS_BLOCKS=200000 for the long form, at least
// 100,000) in which a tenth of the blocks log, and few of them what is searched for. The same
// search over all blocks is served from headers, from cache files and from the index, in one run;
// then random searches are compared with a scan of every log. The bounds are those of 200,000
// blocks and shrink with the chain. With LOGS_FOLDER the chain is kept in that folder and reused.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadCrypto, parseHex } from "@plinth/core";
import { decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import storageLevel from "@plinth/plugin-storage-level";
import {
  createRandom,
  logCode,
  matching,
  placeOf,
  randomQuery,
  toWord,
} from "../support/log-queries.mjs";

const PROGRAM = fileURLToPath(new URL("../../cli/bin/plinth.js", import.meta.url));
const BLOCKS = Number(process.env.LOGS_BLOCKS ?? 100_000);
const FULL_BLOCKS = 200_000;
const QUERIES = 2000;
/** The intervals of blocks with a log, and of those with the searched one. */
const LOG_EVERY = 10;
const WANTED_EVERY = 10_000;
const SCANS = 3;
const SEARCHES = 51;
/** Maximum range of searches for nearly every log. */
const MAX_WIDE = 2000;
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const ADDRESSES = [0, 1, 2, 3, 4].map((count) => `0x${count.toString(16).padStart(40, "c")}`);
const TOPICS = Array.from({ length: 300 }, (_, value) => toWord(value));
const WANTED = toWord(0xbeef);
const CODES = ADDRESSES.map((address, count) => [address, { code: logCode(count) }]);
const GENESIS = {
  config: { chainId: 1337, londonBlock: 0, dev: {} },
  gasLimit: "0x1c9c380",
  baseFeePerGas: "0x7",
  alloc: { [ALICE]: { balance: String(10n ** 24n) }, ...Object.fromEntries(CODES) },
};

/** Returns a row per ratio: what, with, without, ratio, bound. */
export async function benchLogs() {
  await loadCrypto();
  const kept = process.env.LOGS_FOLDER;
  const folder = kept ?? mkdtempSync(join(tmpdir(), "plinth-logs-"));
  try {
    const genesis = join(folder, "genesis.json");
    writeFileSync(genesis, JSON.stringify(GENESIS));
    const place = { dataPath: join(folder, "data"), words: [`--genesis-file=${genesis}`] };
    place.words.push(`--data-path=${place.dataPath}`);
    if (!existsSync(place.dataPath)) await makeChain(place.dataPath);
    rmSync(join(place.dataPath, "caches"), { recursive: true, force: true });
    return await compareWays(place);
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function makeChain(dataPath) {
  const node = await createNode({
    plugins: [storageLevel, evmPlinth, consensusDev],
    options: { dataPath },
    genesis: GENESIS,
  });
  await node.open();
  const { blocks } = node;
  const random = createRandom(1);
  const begun = performance.now();
  let nonce = 0n;
  for (let number = 1; number <= BLOCKS; number++) {
    const candidates =
      number % LOG_EVERY === 0 ? [transaction(nonce++, topicsAt(number, random))] : [];
    const built = await blocks.build({ timestamp: BigInt(number), candidates });
    if (built.execution.receipts.length < candidates.length) throw new Error("a log is missing");
    await blocks.submit(built);
  }
  await node.stop();
  const seconds = (performance.now() - begun) / 1000;
  console.log(`made ${BLOCKS} blocks in ${seconds.toFixed(0)} s`);
}

function topicsAt(number, random) {
  if (number % WANTED_EVERY === 0) return [WANTED, TOPICS[0]];
  return Array.from({ length: random(5) }, () => TOPICS[random(TOPICS.length - 10)]);
}

function transaction(nonce, topics) {
  const data = parseHex(topics.map((topic) => topic.slice(2)).join(""));
  const fields = { chainId: 1337n, nonce, gasLimit: 100_000n, gasPrice: 1_000_000_000n, value: 0n };
  return decodeTransaction(signTransaction({ ...fields, to: ADDRESSES[topics.length], data }, KEY));
}

/** Headers first, then cache files, then the index; each way finds the same. */
async function compareWays(place) {
  const scan = await serve(place, [], (node) => timeSearch(node, SCANS));
  const logs = await serve(place, [], (node) => node.rpc("eth_getLogs", [everything()]));
  await runCommand([...place.words, "operator", "generate-log-bloom-cache"]);
  const way = async (node) => ({
    ms: await timeSearch(node, SEARCHES),
    ...(await compare(node, logs)),
  });
  const blooms = await serve(place, [], way);
  const indexed = await serve(place, ["--log-index-enabled"], async (node) => {
    const begun = performance.now();
    await node.printed("The log index is complete.");
    console.log(`indexed in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    return way(node);
  });
  for (const { compared, found } of [blooms, indexed]) {
    console.log(`${compared} random searches found ${found} logs, as a scan of every log does`);
  }
  return [ratioRow("cache files", blooms.ms, scan, 20), ratioRow("index", indexed.ms, scan, 200)];
}

function everything() {
  return { fromBlock: "earliest", toBlock: "latest" };
}

function ratioRow(what, ms, scan, bound) {
  const least = (bound * BLOCKS) / FULL_BLOCKS;
  return [`few logs of ${BLOCKS} blocks, ${what} against headers`, ms, scan, scan / ms, least];
}

/** The median of some searches, after a warm-up. */
async function timeSearch(node, count) {
  const query = { ...everything(), topics: [WANTED] };
  const times = [];
  for (let done = 0; done <= count; done++) {
    const begun = performance.now();
    const logs = await node.rpc("eth_getLogs", [query]);
    times.push(performance.now() - begun);
    if (logs.length !== Math.floor(BLOCKS / WANTED_EVERY)) throw new Error(`${logs.length} logs`);
  }
  return times.slice(1).sort((a, b) => a - b)[Math.floor(count / 2)];
}

async function compare(node, logs) {
  const random = createRandom(2);
  const hashes = new Map(
    logs.map(({ blockNumber, blockHash }) => [Number(blockNumber), blockHash]),
  );
  const last = logs.at(-1).blockHash;
  const chain = {
    addresses: ADDRESSES,
    topics: [...TOPICS, WANTED],
    head: BLOCKS,
    maxWide: MAX_WIDE,
    hashOf: (number) => hashes.get(number - (number % LOG_EVERY)) ?? last,
  };
  let found = 0;
  for (let done = 0; done < QUERIES; done++) {
    const query = randomQuery(random, chain);
    const places = (await node.rpc("eth_getLogs", [query])).map(placeOf);
    const wanted = matching(logs, query, BLOCKS).map(placeOf);
    if (places.join() !== wanted.join()) throw new Error(`other logs: ${JSON.stringify(query)}`);
    found += places.length;
  }
  return { compared: QUERIES, found };
}

/** Runs a node while something is done with it. */
async function serve({ words, dataPath }, options, use) {
  const fixed = [
    "--rpc-http-enabled",
    "--rpc-http-port=0",
    "--rpc-http-api=ETH",
    "--rpc-max-logs-range=0",
    "--miner-enabled=false",
    "--auto-log-bloom-caching-enabled=false",
  ];
  const child = run([...words, ...fixed, ...options], "pipe");
  const printed = watch(child);
  try {
    await printed("Ethereum main loop is up.");
    const ports = readFileSync(join(dataPath, "plinth.ports"), "utf8");
    const url = `http://127.0.0.1:${/json-rpc=(\d+)/.exec(ports)[1]}`;
    return await use({ printed, rpc: (method, params) => call(url, method, params) });
  } finally {
    const closed = once(child, "close");
    child.kill();
    await closed;
  }
}

/** Waits until the process has printed a text. */
function watch(child) {
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const ended = once(child, "close").then(([code]) => {
    throw new Error(`the node ended with ${code}:\n${output}`);
  });
  ended.catch(() => {});
  return async (text) => {
    while (!output.includes(text)) await Promise.race([once(child.stdout, "data"), ended]);
  };
}

async function call(url, method, params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const { result, error } = await (await fetch(url, { method: "POST", body })).json();
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

async function runCommand(words) {
  const [code] = await once(run(words, "inherit"), "close");
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}`);
}

function run(words, stdout) {
  return spawn(process.execPath, [PROGRAM, ...words], { stdio: ["ignore", stdout, "inherit"] });
}
