// `npm run bench replicas`: what a block costs a replica beside a node that executes it, reads per second of a node alone and
// of a node with a replica, what a replica costs its source, and how far behind it is.
import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadCrypto } from "@plinth/core";
import WebSocket from "ws";
import { CHAIN } from "./address-index.mjs";
import { isUp, median, processorSeconds } from "./measured.mjs";
import { FLAGS, freePort, PROGRAM, pause } from "./node-process.mjs";
import { makeSealedBlocks, SENDER_ADDRESS } from "./sealed-chain.mjs";
import { slotOf, TOKEN, TOKEN_CODE, tokenTransferTo } from "./token.mjs";

const ROUNDS = Number(process.env.BENCH_REPLICA_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_REPLICA_SECONDS ?? 60);
const LOAD_SECONDS = 5;
const PERIOD_MS = 1000;
const BLOCKS = Number(process.env.BENCH_REPLICA_BLOCKS ?? 500);
const PER_BLOCK = 200;
/** Of the token, in turn. */
const RECEIVERS = 5000;
const WITHOUT = { PLINTH_P2P_ENABLED: "false" };
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const BODY = (account) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [account, "latest"] });

/** Rows of `[what, value, bound]`. */
export async function benchReplicas() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-replicas-"));
  try {
    return [...(await measureBlocks(folder)), ...(await measureNodes(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor time of a sealed block with 200 transfers of a token: of a full node that has a peer, and of a replica. */
async function measureBlocks(folder) {
  await loadCrypto();
  const { genesisFile, dataPath } = await makeSealedBlocks(folder, {
    ...{ blocks: BLOCKS, perBlock: PER_BLOCK },
    describe: (nonce) => tokenTransferTo(`0x${(nonce % RECEIVERS).toString(16).padStart(40, "f")}`),
    config: { londonBlock: 0, zeroBaseFee: true, shanghaiTime: 0 },
    alloc: {
      [TOKEN]: {
        balance: "0x0",
        code: TOKEN_CODE,
        storage: { [slotOf(SENDER_ADDRESS)]: `0x${"f".repeat(32)}` },
      },
    },
  });
  const file = join(folder, "chain.rlp");
  const words = (name) => [`--genesis-file=${genesisFile}`, `--data-path=${join(folder, name)}`];
  const made = [`--genesis-file=${genesisFile}`, `--data-path=${dataPath}`];
  run([...made, "blocks", "export", `--to=${file}`]);
  run([...words("source"), "--changes-enabled", "blocks", "import", file]);
  const source = await start([...words("source"), "--changes-enabled", ...(await peerOptions())]);
  const enode = await source.rpc("net_enode", []);
  const times = { executed: [], followed: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const full = [...words(`full-${round}`), ...(await peerOptions())];
    const connect = (node) => node.rpc("admin_addPeer", [enode]);
    times.executed.push(await timeCopy(full, BLOCKS, connect));
    const replica = [...words(`replica-${round}`), `--follow=${source.url}`];
    times.followed.push(await timeCopy(replica, BLOCKS));
  }
  await source.stop();
  const list = (values) => values.map((ms) => ms.toFixed(1)).join(", ");
  console.log(
    `processor ms of a block: of a full node ${list(times.executed)}, of a replica ${list(times.followed)}`,
  );
  const ratios = times.followed.map((ms, round) => ms / times.executed[round]);
  return [
    ["processor time of a followed block, as a multiple of an executed one", median(ratios), 0.5],
  ];
}

/** Runs a command without a network. */
function run(words) {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    env: { ...process.env, ...WITHOUT },
  });
  if (status !== 0) throw new Error(String(stderr));
}

/** Milliseconds of processor time for each block, from the start of a process until it has all of them. */
async function timeCopy(words, blocks, begin = async () => {}) {
  const node = await start(words);
  await begin(node);
  while (Number(await node.rpc("eth_blockNumber", [])) < blocks) await pause(50);
  const seconds = processorSeconds(node.pid);
  await node.stop();
  return (seconds * 1000) / blocks;
}

async function peerOptions() {
  return [
    ...["--p2p-enabled=true", "--p2p-interface=127.0.0.1", `--p2p-port=${await freePort()}`],
    ...["--nat-method=NONE", "--discovery-enabled=false", "--bootnodes="],
  ];
}

/** A node that produces a block every second, alone and with a replica. */
async function measureNodes(folder) {
  const genesis = join(folder, "dev-genesis.json");
  writeFileSync(genesis, JSON.stringify(CHAIN.genesisOf()));
  const words = (name) => [`--genesis-file=${genesis}`, `--data-path=${join(folder, name)}`];
  const producing = ["--changes-enabled", `--dev-period-seconds=${PERIOD_MS / 1000}`];
  const node = await start([...words("producer"), ...producing]);
  const alone = await watchBlocks([node]);
  const reads = await readsPerSecond([node]);
  const replica = await start([...words("reader"), `--follow=${node.url}`]);
  const both = await watchBlocks([node, replica]);
  const readsOfBoth = await readsPerSecond([node, replica]);
  await Promise.all([node.stop(), replica.stop()]);
  console.log(
    `reads/s of a node ${reads}, of a node and a replica ${readsOfBoth}; block intervals p99 ${alone.interval} ms alone, ${both.interval} ms with a replica; lag p50 ${both.lagMedian} ms`,
  );
  return [
    ["p99 of block intervals with a replica, as a multiple", both.interval / alone.interval, 1.1],
    ["ms from a block of the node to the same of the replica, p99", both.lag, PERIOD_MS],
  ];
}

/** Starts a node with HTTP and WebSocket, without peers. */
async function start(words) {
  const [port, wsPort] = [await freePort(), await freePort()];
  const hasPeers = words.includes("--p2p-enabled=true");
  const child = spawn(
    process.execPath,
    [
      ...[...FLAGS, PROGRAM, ...words, "--rpc-http-enabled", `--rpc-http-port=${port}`],
      ...["--rpc-ws-enabled", `--rpc-ws-port=${wsPort}`, "--rpc-http-api=ETH,NET,ADMIN"],
    ],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...(hasPeers ? {} : WITHOUT) } },
  );
  await isUp(child);
  child.stdout.resume();
  const stop = () =>
    new Promise((resolve) => {
      child.removeAllListeners("close").once("close", resolve);
      child.kill();
    });
  const url = `http://127.0.0.1:${port}`;
  const rpc = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, { method: "POST", body });
    const { result, error } = await response.json();
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return { pid: child.pid, port, url, rpc, wsUrl: `ws://127.0.0.1:${wsPort}`, stop };
}

/** The 99th percentiles of the intervals of blocks, and of how much later the last node has them. */
async function watchBlocks(nodes) {
  const seen = nodes.map(() => new Map());
  const sockets = nodes.map(({ wsUrl }, index) => {
    const socket = new WebSocket(wsUrl);
    socket.on("open", () =>
      socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
    );
    socket.on("message", (text) => {
      const { params } = JSON.parse(text);
      if (params !== undefined) seen[index].set(params.result.number, performance.now());
    });
    return socket;
  });
  await pause(SECONDS * 1000);
  for (const socket of sockets) socket.terminate();
  const times = [...seen[0].values()];
  const intervals = times.slice(1).map((at, index) => at - times[index]);
  const lags = [...seen[0]].flatMap(([number, at]) => {
    const later = seen.at(-1).get(number);
    return later === undefined ? [] : [later - at];
  });
  return {
    interval: Math.round(percentile(intervals, 0.99)),
    lag: Math.round(percentile(lags, 0.99)),
    lagMedian: Math.round(median(lags)),
  };
}

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Of all nodes together, at the same time. */
async function readsPerSecond(nodes) {
  const run = promisify(execFile);
  const rates = await Promise.all(
    nodes.map(async ({ port }) => {
      const words = [here("http-load.mjs"), String(port), BODY(CHAIN.sender), String(LOAD_SECONDS)];
      return Number((await run(process.execPath, words)).stdout);
    }),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}
