// `npm run bench traces`: a block with 30 M gas of code that uses much memory is traced four times
// at once, while blocks continue: memory, the first byte, what happens when callers disconnect, and
// how late blocks are.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadCrypto, parseHex, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { isUp, median, processorSeconds, residentMib } from "./measured.mjs";

const PROGRAM = fileURLToPath(new URL("../../cli/bin/plinth.js", import.meta.url));
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const HEAVY = "0x00000000000000000000000000000000000000aa";
const PERIOD_SECONDS = 2;
const AT_ONCE = 4;
const MAX_GROWTH_MIB = 300;
const MAX_FIRST_BYTE_MS = 500;
const MAX_STOP_MS = 1000;
const MAX_LATE = 1.2;
/** Writes to the end of 4 KiB of memory, then loops forever: every step shows 128 words. */
const CODE = "0x6001610fe0525b6001600052600656";
/** The traced request, for each namespace. */
const TRACES = [
  { name: "struct logs", method: "debug_traceTransaction", options: {} },
  { name: "vmTrace", method: "trace_replayTransaction", options: ["vmTrace"] },
];
const GENESIS = {
  config: { chainId: 1337, londonBlock: 0, dev: {} },
  gasLimit: "0x1c9c380",
  baseFeePerGas: "0x7",
  alloc: { [ALICE]: { balance: String(10n ** 24n) }, [HEAVY]: { code: CODE } },
};

/** Returns a row per bound. */
export async function benchTraces() {
  await loadCrypto();
  const folder = mkdtempSync(join(tmpdir(), "plinth-traces-"));
  const genesis = join(folder, "genesis.json");
  writeFileSync(genesis, JSON.stringify(GENESIS));
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      `--genesis-file=${genesis}`,
      `--data-path=${join(folder, "data")}`,
      "--rpc-http-enabled",
      "--rpc-http-port=0",
      "--rpc-http-api=ETH,DEBUG,TRACE",
      `--dev-period-seconds=${PERIOD_SECONDS}`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    await isUp(child);
    const ports = readFileSync(join(folder, "data", "plinth.ports"), "utf8");
    const port = Number(/json-rpc=(\d+)/.exec(ports)[1]);
    const hash = await call(port, "eth_sendRawTransaction", [burn()]);
    while ((await call(port, "eth_getTransactionReceipt", [hash])) === null) await sleep(100);
    const rows = [];
    for (const { name, method, options } of TRACES) {
      const measured = await measure(port, child.pid, { method, params: [hash, options] });
      rows.push(...measured.map(([label, ...numbers]) => [`${name}, ${label}`, ...numbers]));
    }
    return rows;
  } finally {
    const closed = once(child, "close");
    child.kill();
    await closed;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(port, pid, trace) {
  const calm = await timesOfBlocks(port, 5);
  const before = residentMib(pid);
  const traces = Array.from({ length: AT_ONCE }, () => openTrace(port, trace));
  const firstBytes = await Promise.all(traces.map(({ firstByte }) => firstByte));
  const memory = { most: before };
  const timer = setInterval(() => {
    memory.most = Math.max(memory.most, residentMib(pid));
  }, 50);
  const busy = await timesOfBlocks(port, 5);
  clearInterval(timer);
  const read = traces.reduce((sum, { bytes }) => sum + bytes(), 0);
  for (const { leave } of traces) leave();
  const stopMs = await timeUntilCalm(pid);
  console.log(`read ${Math.round(read / 1024 / 1024)} MiB of traces meanwhile`);
  return [
    ["MiB more at most", memory.most - before, MAX_GROWTH_MIB],
    ["first byte in ms, the slowest", Math.round(Math.max(...firstBytes)), MAX_FIRST_BYTE_MS],
    ["stopped after ms", Math.round(stopMs), MAX_STOP_MS],
    ["time between blocks against calm", median(busy) / median(calm), MAX_LATE],
  ];
}

/** A transaction that uses 29 M gas. */
function burn() {
  const fields = { chainId: 1337n, nonce: 0n, gasLimit: 29_000_000n, gasPrice: 1_000_000_000n };
  return toHex(signTransaction({ ...fields, to: HEAVY, value: 0n, data: new Uint8Array() }, KEY));
}

function openTrace(port, { method, params }) {
  const begun = performance.now();
  let bytes = 0;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const sent = request({
    port,
    host: "127.0.0.1",
    method: "POST",
    headers: { "content-type": "application/json" },
  });
  const firstByte = new Promise((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => {
      response.once("data", () => resolve(performance.now() - begun));
      response.on("data", (chunk) => {
        bytes += chunk.length;
      });
      // It is aborted before its end.
      response.on("error", () => {});
    });
  });
  sent.end(body);
  return { firstByte, bytes: () => bytes, leave: () => sent.destroy() };
}

/** The intervals between this many blocks, in ms. */
async function timesOfBlocks(port, count) {
  const times = [];
  let last;
  let number = await call(port, "eth_blockNumber", []);
  while (times.length < count) {
    await sleep(20);
    const now = await call(port, "eth_blockNumber", []);
    if (now === number) continue;
    number = now;
    const at = performance.now();
    if (last !== undefined) times.push(at - last);
    last = at;
  }
  return times;
}

/** How long the process continues working. */
async function timeUntilCalm(pid) {
  const begun = performance.now();
  for (let used = processorSeconds(pid); ; ) {
    await sleep(100);
    const now = processorSeconds(pid);
    // Less than a third of a core.
    if (now - used <= 0.03) return performance.now() - begun - 100;
    used = now;
  }
}

async function call(port, method, params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}
