// `npm run bench calls`: small calls per second on threads against the main thread, over one
// connection and over 32, and the memory of threads. Only the ratios are meaningful.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isUp, median, residentMib } from "./measured.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = here("../../cli/bin/plinth.js");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const BOB = "0x00000000000000000000000000000000000000b0";
const TOKEN = "0x00000000000000000000000000000000000000cc";
/**
 * Like `balanceOf` of a token: hashes the holder with the slot of the mapping, and reads the
 * balance.
 */
const BALANCE_OF = "0x6004356000525f60205260405f20545f5260205ff3";
const GENESIS = {
  config: { chainId: 1337, londonBlock: 0, shanghaiTime: 0, dev: {} },
  gasLimit: "0x1c9c380",
  difficulty: "0x1",
  baseFeePerGas: "0x7",
  alloc: { [ALICE]: { balance: String(10n ** 24n) }, [TOKEN]: { code: BALANCE_OF } },
};
const CALLS = [
  {
    what: "eth_call of balanceOf",
    method: "eth_call",
    params: [{ to: TOKEN, data: `0x70a08231${ALICE.slice(2).padStart(64, "0")}` }, "latest"],
  },
  {
    what: "eth_estimateGas of a transfer",
    method: "eth_estimateGas",
    params: [{ from: ALICE, to: BOB, value: "0x1" }],
  },
];
/** Over one connection threads may cost a tenth; over many they must be faster. */
const BOUNDS = { 1: 0.9, 32: 1 };

/** Returns a row per call and number of connections. */
export async function benchCalls() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-calls-"));
  const genesis = join(folder, "genesis.json");
  writeFileSync(genesis, JSON.stringify(GENESIS));
  const nodes = { threads: [], main: ["--rpc-worker-threads=0"] };
  const started = {};
  try {
    for (const [name, words] of Object.entries(nodes)) {
      started[name] = await start(join(folder, name), genesis, words);
    }
    const idle = residentMib(started.threads.child.pid);
    const rows = [];
    for (const { what, method, params } of CALLS) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      for (const connections of [1, 32])
        rows.push(await compare(started, { what, body, connections }));
    }
    const busy = residentMib(started.threads.child.pid);
    const peer = residentMib(started.main.child.pid);
    console.log(
      `memory: ${idle} MiB idle, ${busy} MiB with threads, ${peer} MiB without, after the same calls`,
    );
    return rows;
  } finally {
    for (const { child } of Object.values(started)) {
      child.kill();
      await once(child, "close");
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(dataPath, genesis, words) {
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      `--genesis-file=${genesis}`,
      `--data-path=${dataPath}`,
      "--rpc-http-enabled",
      "--rpc-http-port=0",
      ...words,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await isUp(child);
  const ports = readFileSync(join(dataPath, "plinth.ports"), "utf8");
  return { child, port: Number(/json-rpc=(\d+)/.exec(ports)[1]) };
}

/** Alternates, so that other work of the machine affects both. */
async function compare({ threads, main }, { what, body, connections }) {
  const rates = { ours: [], peer: [] };
  // Neither is measured before it has been compiled.
  for (const { port } of [threads, main]) await load(port, body, connections);
  for (let round = 0; round < ROUNDS; round++) {
    rates.ours.push(await load(threads.port, body, connections));
    rates.peer.push(await load(main.port, body, connections));
  }
  const [ours, peer] = [median(rates.ours), median(rates.peer)];
  return {
    what: `${what}, ${connections} connection${connections === 1 ? "" : "s"}: threads against none, /s`,
    ours: ours.toFixed(0),
    peer: peer.toFixed(0),
    ratio: ours / peer,
    bound: `≥ ${BOUNDS[connections]}`,
  };
}

async function load(port, body, connections) {
  const words = [here("./http-load.mjs"), String(port), body, String(SECONDS), String(connections)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Number(stdout);
}
