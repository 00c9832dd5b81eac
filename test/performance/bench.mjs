// `npm run bench`: hot paths compared with their peers, in one run. Only the ratios are meaningful.
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { benchAddressIndex } from "./address-index.mjs";
import { measurePeers, scaleBound } from "./bounds.mjs";
import { benchCalls } from "./calls.mjs";
import { compareChains } from "./compare.mjs";
import { benchEnclave } from "./enclave.mjs";
import { benchExplorer } from "./explorer.mjs";
import { benchForks } from "./forks.mjs";
import { benchGenesisState } from "./genesis-state.mjs";
import { benchGraphql } from "./graphql.mjs";
import { benchGrowth } from "./growth.mjs";
import { compareImports } from "./import.mjs";
import { benchJoin } from "./join.mjs";
import { benchListeners } from "./listeners.mjs";
import { benchLogs } from "./logs.mjs";
import { benchLongChain } from "./long-chain.mjs";
import { median } from "./measured.mjs";
import { benchNetwork } from "./network.mjs";
import { benchPermissioning } from "./permissioning.mjs";
import { benchPrecompiles } from "./precompiles.mjs";
import { benchPrivacy } from "./privacy.mjs";
import { benchQbft } from "./qbft.mjs";
import { benchRelay } from "./relay.mjs";
import { benchReplicas } from "./replicas.mjs";
import { saveResults } from "./save-results.mjs";
import { benchSmallReads } from "./small-reads.mjs";
import { benchSnapshotLoad } from "./snapshot-load.mjs";
import { benchStages } from "./stages.mjs";
import { benchLayouts } from "./state-import.mjs";
import { benchRates } from "./state-rates.mjs";
import { benchReads } from "./state-reads.mjs";
import { benchStorage } from "./storage.mjs";
import { benchSync } from "./sync.mjs";
import { benchTraces } from "./traces.mjs";

// Nodes have no peers unless a measurement is about them.
process.env.PLINTH_P2P_ENABLED = "false";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = here("../../cli/bin/plinth.js");
const GENESIS = here("../../examples/minimal-node/genesis.json");
const BODY = '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion","params":[]}';
const WEB_SOCKETS = 2000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

const children = new Set();
process.on("exit", () => {
  for (const child of children) child.kill();
});

const isSaved = process.argv.includes("--save");
const only = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
const results = [];
for (const [name, bench] of Object.entries({
  command: benchCommand,
  start: benchStart,
  rpc: benchRpc,
  import: benchImport,
  graphql: benchBlockQuery,
})) {
  if (only === undefined || only === name) results.push(...[await bench()].flat());
}
if (only === undefined || only === "chain") await compareChains();
// Takes a quarter of an hour, so it must be requested.
if (only === "long") results.push(...(await againstBounds(await benchLongChain())));
// Takes minutes as well.
if (only === "state") {
  const rows = [...(await benchLayouts()), ...(await benchReads()), ...(await benchRates())];
  for (const [what, ours, peer, bound] of rows) {
    results.push(row(what, ours, peer, ours / peer, bound));
  }
  results.push(...(await againstBounds(await benchGenesisState())));
}
// And this.
if (only === "join") {
  const { faster, limits } = await benchJoin();
  results.push(...atLeast(faster), ...(await againstBounds(limits)));
}
// Needs `npm run clients`.
if (only === "forks") {
  for (const [what, ours, peer, ratio, bound] of await benchForks()) {
    const [own, other] = [ours, peer].map((ms) => `${ms.toFixed(1)} ms`);
    results.push(row(what, own, other, ratio, bound === undefined ? "" : `≤ ${bound}`));
  }
}
if (only === "growth") {
  for (const [what, many, few, bound] of await benchGrowth()) {
    const [ours, peer] = [many, few].map((us) => us.toFixed(0));
    results.push(row(what, ours, peer, many / few, `≤ ${bound}`));
  }
}
if (only === "snapshots") results.push(...atMost(await benchSnapshotLoad()));
for (const [name, bench] of Object.entries({ listeners: benchListeners, reads: benchSmallReads })) {
  if (only !== undefined && only !== name) continue;
  for (const [what, ours, peer, bound] of await bench(ROUNDS, SECONDS)) {
    results.push(row(what, `${ours}/s`, `${peer}/s`, ours / peer, `≥ ${bound}`));
  }
}
if (only === undefined || only === "logs") results.push(...atLeast(await benchLogs()));
// Takes minutes, so it must be requested.
if (only === "addresses") results.push(...(await againstBounds(await benchAddressIndex())));
if (only === "replicas") {
  results.push(...atMost(await benchReplicas()));
  const { faster, limits } = await benchRelay();
  results.push(...atLeast(faster), ...(await againstBounds(limits)));
}
// The same, and it needs Chromium and `npm run clients`.
if (only === "explorer") results.push(...(await againstBounds(await benchExplorer())));
if (only === undefined || only === "stages") results.push(...(await benchStages()));
if (only === undefined || only === "calls") results.push(...(await benchCalls()));
if (only === undefined || only === "traces")
  results.push(...(await againstBounds(await benchTraces())));
if (only === undefined || only === "precompiles") results.push(...(await comparePrecompiles()));
if (only === undefined || only === "enclave")
  results.push(...(await againstBounds(await benchEnclave())));
if (only === undefined || only === "privacy")
  results.push(...(await againstBounds(await benchPrivacy())));
if (only === undefined || only === "network")
  results.push(...(await againstBounds(await benchNetwork())));
if (only === undefined || only === "permissioning") {
  results.push(...(await againstBounds(await benchPermissioning())));
}
if (only === undefined || only === "qbft")
  results.push(...(await againstBounds(await benchQbft())));
if (only === undefined || only === "sync")
  results.push(...(await againstBounds(await benchSync())));
if (only === undefined || only === "storage") results.push(...(await compareStorage()));
if (results.length > 0) {
  console.log("\n| what | ours | peer | ratio | bound |\n|---|---|---|---|---|");
}
for (const { what, ours, peer, ratio, bound } of results) {
  console.log(`| ${what} | ${ours} | ${peer} | ${ratio.toFixed(2)} | ${bound} |`);
}
if (isSaved) saveResults(results);

/** Processor time of `plinth rlp encode` and `plinth --help`, against an empty oclif command; medians of alternating runs. */
async function benchCommand() {
  const times = { encode: [], help: [], peer: [] };
  for (let round = 0; round < ROUNDS * 2; round++) {
    times.encode.push(timeCommand([PROGRAM, "rlp", "encode"], "[]"));
    times.help.push(timeCommand([PROGRAM, "--help"], ""));
    times.peer.push(timeCommand([here("peers/empty-oclif/bin/run.js"), "empty"], ""));
  }
  const [encode, help, peer] = [median(times.encode), median(times.help), median(times.peer)];
  const toMs = (value) => `${value.toFixed(0)} ms`;
  return [
    row("plinth rlp encode, processor time", toMs(encode), toMs(peer), encode / peer, "≤ 1.4"),
    row("plinth --help, processor time", toMs(help), toMs(peer), help / peer, "≤ 1.6"),
  ];
}

/** The processor time of a command, measured by the shell. */
function timeCommand(words, input) {
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", '"$@" >/dev/null && times', "sh", process.execPath, ...words],
    { input, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
  const children = stdout.trim().split("\n").at(-1) ?? "";
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + minutes * 60_000 + seconds * 1000, 0);
}

/** From starting the process to the first response, against a script with the same libraries. */
async function benchStart() {
  const times = { ours: [], peer: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(
      await timeStart((port, folder) => [PROGRAM, ...nodeWords(folder), `--rpc-http-port=${port}`]),
    );
    times.peer.push(await timeStart((port) => [here("peers/bare-start.mjs"), String(port)]));
  }
  const [ours, peer] = [median(times.ours), median(times.peer)];
  return row(
    "first answer",
    `${ours.toFixed(0)} ms`,
    `${peer.toFixed(0)} ms`,
    ours / peer,
    "≤ 2.5",
  );
}

async function timeStart(wordsFor) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const port = await freePort();
  const start = performance.now();
  const child = spawn(process.execPath, wordsFor(port, folder), { stdio: "ignore" });
  while (!(await answers(port))) await new Promise((resolve) => setImmediate(resolve));
  const elapsed = performance.now() - start;
  const closed = once(child, "close");
  child.kill();
  await closed;
  rmSync(folder, { recursive: true, force: true });
  return elapsed;
}

function answers(port) {
  return new Promise((resolve) => {
    const attempt = request({
      port,
      host: "127.0.0.1",
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    attempt.on("error", () => resolve(false));
    attempt.on("response", (response) => response.resume().on("end", () => resolve(true)));
    attempt.end(BODY);
  });
}

/** `web3_clientVersion` with idle WebSockets beside it, against a bare fastify route. */
async function benchRpc() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const node = spawn(
    process.execPath,
    [
      // As in `npm start` and docs/operators.
      "--max-semi-space-size=64",
      PROGRAM,
      ...nodeWords(folder),
      "--rpc-http-port=0",
      "--rpc-ws-enabled",
      "--rpc-ws-port=0",
      `--rpc-ws-max-active-connections=${WEB_SOCKETS + 100}`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  children.add(node);
  await printed(node, "Ethereum main loop is up.");
  const ports = readFileSync(join(folder, "plinth.ports"), "utf8");
  const httpPort = /json-rpc=(\d+)/.exec(ports)[1];
  const wsPort = /ws-rpc=(\d+)/.exec(ports)[1];
  const answer = await (
    await fetch(`http://127.0.0.1:${httpPort}`, { method: "POST", body: BODY })
  ).text();
  const peer = spawn(
    process.execPath,
    [here("peers/bare-fastify.mjs"), "web3_clientVersion", answer],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  children.add(peer);
  const peerPort = (await printed(peer, "\n")).trim();
  const idle = spawn(
    process.execPath,
    [here("idle-web-sockets.mjs"), wsPort, String(WEB_SOCKETS)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  children.add(idle);
  await printed(idle, "open");
  const rates = { ours: [], peer: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.peer.push(await load(peerPort));
    rates.ours.push(await load(httpPort));
  }
  idle.kill();
  const closed = once(node, "close");
  for (const child of [node, peer]) child.kill();
  await closed;
  rmSync(folder, { recursive: true, force: true });
  const [ours, theirs] = [median(rates.ours), median(rates.peer)];
  return row(
    `web3_clientVersion, 32 busy connections, ${WEB_SOCKETS} idle WebSockets`,
    `${ours}/s`,
    `${theirs}/s`,
    ours / theirs,
    "≥ 0.85",
  );
}

/** Blocks with 1,000 transfers each, against `runBlock` of stock EthereumJS on the same database. */
async function benchImport() {
  const compared = await compareImports();
  return compared.map(({ what, ours, stock }) =>
    row(`import, ${what}`, `${ours} tx/s`, `${stock} tx/s`, ours / stock, "≥ 4"),
  );
}

/** A block with 1,000 transactions and their logs in one query, against a query for each. */
async function benchBlockQuery() {
  const { wholeMs, singleMs, memory } = await benchGraphql();
  const [ours, peer] = [`${wholeMs.toFixed(0)} ms`, `${singleMs.toFixed(0)} ms`];
  return [
    row("1,000 transactions by GraphQL", ours, peer, singleMs / wholeMs, "≥ 3"),
    ...(await againstBounds([memory])),
  ];
}

/** Precompiles against those of EthereumJS, and their time for 30 M gas. */
async function comparePrecompiles() {
  const rate = (value) => `${value.toFixed(1)} Mgas/s`;
  const measured = await benchPrecompiles();
  const times = measured.map(({ what, ms, maxMs }) => {
    return [`${what}, ms for 30 M gas`, Math.round(ms), maxMs];
  });
  return [
    ...measured.map(({ what, ours, peer }) =>
      row(what, rate(ours), rate(peer), ours / peer, "≥ 1"),
    ),
    ...(await againstBounds(times)),
  ];
}

/** Figures whose bounds were measured in the same run. */
function atMost(rows) {
  return rows.map(([what, value, bound]) => row(what, value, bound, value / bound, "≤ 1"));
}

/** Figures without a peer: their bounds are those of the speed and the memory of this run. */
async function againstBounds(rows) {
  const peers = await measurePeers();
  console.log(
    `a pass of the calibration takes ${peers.passUs.toFixed(0)} µs, Node.js alone ${peers.nodeMib} MiB`,
  );
  return rows.map(([what, value, bound]) => {
    const scaled = scaleBound(what, bound, peers);
    return row(what, value, Number(scaled.toPrecision(3)), value / scaled, "≤ 1");
  });
}

/** The cost of syncing and checking; the default may cost a tenth. */
async function compareStorage() {
  return (await benchStorage()).map(([what, ours, peer, ratio]) => {
    const bound = what.includes("grouped, checks on") ? "≤ 1.1" : "";
    return row(what, ours.toFixed(0), peer.toFixed(0), ratio, bound);
  });
}

/** How many times faster one way is than another. */
function atLeast(rows) {
  const text = (ms) => `${ms.toFixed(1)} ms`;
  return rows.map(([what, ours, peer, ratio, bound]) =>
    row(what, text(ours), text(peer), ratio, `≥ ${bound}`),
  );
}

async function load(port) {
  const words = [here("http-load.mjs"), port, BODY, SECONDS].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Number(stdout);
}

function nodeWords(folder) {
  return [`--genesis-file=${GENESIS}`, `--data-path=${folder}`, "--rpc-http-enabled"];
}

function printed(child, text) {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes(text)) resolve(output);
    });
    child.on("close", (code) => reject(new Error(`ended with ${code}:\n${output}`)));
  });
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

function row(what, ours, peer, ratio, bound) {
  console.log(`${what}: ${ours} against ${peer}, ratio ${ratio.toFixed(2)} (${bound})`);
  return { what, ours, peer, ratio, bound };
}
