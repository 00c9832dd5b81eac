// `npm run bench long`: a chain of 100,000 blocks with five transfers each (LONG_BLOCKS for another
// length) is produced, imported by the command, and served: memory, start time and the cost of old
// blocks must stay in bounds. With LONG_FOLDER the blocks and the database are kept in that folder;
// if they exist, they are only served.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeBlock, loadCrypto, parseHex } from "@plinth/core";
import { decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import storageLevel from "@plinth/plugin-storage-level";
import { isUp, median } from "./measured.mjs";

const PROGRAM = fileURLToPath(new URL("../../cli/bin/plinth.js", import.meta.url));
const BLOCKS = Number(process.env.LONG_BLOCKS ?? 100_000);
const PER_BLOCK = 5;
const MAX_MIB = 500;
const MAX_START_MS = 2000;
const MAX_RATIO = 2;
const QUERIES = 500;
const SAMPLE_MS = 50;
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const GENESIS = {
  config: { chainId: 1337, londonBlock: 0, dev: {} },
  gasLimit: "0x1c9c380",
  baseFeePerGas: "0x7",
  alloc: { "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73": { balance: String(10n ** 24n) } },
};

/** Produces, imports and serves the chain; returns a row per bound. */
export async function benchLongChain() {
  await loadCrypto();
  const kept = process.env.LONG_FOLDER;
  const folder = kept ?? mkdtempSync(join(tmpdir(), "plinth-long-"));
  try {
    const genesis = join(folder, "genesis.json");
    writeFileSync(genesis, JSON.stringify(GENESIS));
    const dataPath = join(folder, "data");
    const words = [`--genesis-file=${genesis}`, `--data-path=${dataPath}`];
    const file = join(folder, "chain.blocks");
    const imported = [];
    if (!existsSync(file)) {
      await makeChain(file, join(folder, "made"));
      const mib = await importChain(words, file);
      imported.push(["imported, resident MiB at most", mib, MAX_MIB]);
    }
    const { startMs, ratio } = await serveChain(words, dataPath);
    return [
      ...imported,
      ["started, ms", startMs, MAX_START_MS],
      ["old block against recent one", ratio, MAX_RATIO],
    ];
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function makeChain(path, dataPath) {
  const node = await createNode({
    plugins: [storageLevel, evmPlinth, consensusDev],
    options: { dataPath },
    genesis: GENESIS,
  });
  await node.open();
  const { blocks } = node;
  const file = createWriteStream(path);
  for (let number = 1; number <= BLOCKS; number++) {
    const candidates = Array.from({ length: PER_BLOCK }, (_, index) =>
      transfer(BigInt((number - 1) * PER_BLOCK + index)),
    );
    const built = await blocks.build({ timestamp: BigInt(number), candidates });
    await blocks.submit(built);
    if (!file.write(encodeBlock(built.block))) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
  await node.stop();
  rmSync(dataPath, { recursive: true, force: true });
}

function transfer(nonce) {
  const to = `0x${(nonce % 20_000n).toString(16).padStart(40, "f")}`;
  const fields = { chainId: 1337n, nonce, gasLimit: 21_000n, gasPrice: 1_000_000_000n };
  return decodeTransaction(
    signTransaction({ ...fields, to, value: 1n, data: new Uint8Array() }, KEY),
  );
}

/** Imports with the command; returns the maximum resident set. */
async function importChain(words, file) {
  const child = run([...words, "blocks", "import", `--from=${file}`], "inherit");
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentMib(child.pid));
  }, SAMPLE_MS);
  const [code] = await once(child, "close");
  clearInterval(timer);
  if (code !== 0) throw new Error(`blocks import ended with ${code}`);
  return most;
}

function residentMib(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch (error) {
    // It ended between two samples.
    if (error.code === "ENOENT" || error.code === "ESRCH") return 0;
    throw error;
  }
}

/**
 * Starts a node on the chain; returns the start time, and the cost of old blocks relative to recent
 * ones.
 */
async function serveChain(words, dataPath) {
  const begun = performance.now();
  const options = ["--rpc-http-enabled", "--rpc-http-port=0", "--miner-enabled=false"];
  const child = run([...words, ...options], "pipe");
  await isUp(child);
  const ports = readFileSync(join(dataPath, "plinth.ports"), "utf8");
  const url = `http://127.0.0.1:${/json-rpc=(\d+)/.exec(ports)[1]}`;
  await fetchBlock(url, BLOCKS);
  const startMs = Math.round(performance.now() - begun);
  const older = Array.from({ length: QUERIES }, () => 1 + Math.floor(Math.random() * BLOCKS * 0.9));
  const recent = Array.from({ length: QUERIES }, (_, index) => BLOCKS - index);
  // The first responses of a process include JIT compilation.
  for (const number of recent.slice(0, QUERIES / 5)) await fetchBlock(url, number);
  const times = { old: [], recent: [] };
  for (let index = 0; index < QUERIES; index++) {
    times.old.push(await timeBlock(url, older[index]));
    times.recent.push(await timeBlock(url, recent[index]));
  }
  const closed = once(child, "close");
  child.kill();
  await closed;
  return { startMs, ratio: median(times.old) / median(times.recent) };
}

async function timeBlock(url, number) {
  const begun = performance.now();
  await fetchBlock(url, number);
  return performance.now() - begun;
}

async function fetchBlock(url, number) {
  const params = [`0x${number.toString(16)}`, true];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params });
  const headers = { "content-type": "application/json" };
  const { result } = await (await fetch(url, { method: "POST", headers, body })).json();
  if (result?.transactions.length !== PER_BLOCK) throw new Error(`block ${number} is not there`);
}

function run(words, stdout) {
  return spawn(process.execPath, [PROGRAM, ...words], { stdio: ["ignore", stdout, "inherit"] });
}
