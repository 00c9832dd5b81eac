// The relay part of `npm run bench replicas`: a chain of transfers of a token is copied into PostgreSQL, against COPY of the
// same rows by the server alone; then how long after a block its rows are committed, at a fixed load.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCrypto, parseHex, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import pg from "pg";
import { CHAIN, makeBlocks } from "./address-index.mjs";
import { median } from "./measured.mjs";
import { FLAGS, freePort, PROGRAM, pause, startNode } from "./node-process.mjs";
import { transferTo } from "./token.mjs";

const ROUNDS = Number(process.env.BENCH_RELAY_ROUNDS ?? 3);
/** The load while the lag is measured. */
const PER_SECOND = 100;
const SECONDS = Number(process.env.BENCH_RELAY_SECONDS ?? 20);
const FOLDER = "/usr/lib/postgresql";
const USER = "relay";
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const TABLES = ["blocks", "transactions", "receipts", "logs", "token_transfers", "balances"];

/**
 * `faster` has rows of `[what, ms, ms of COPY alone, ratio, bound]`, `limits` of `[what, value, bound]`; both are empty
 * without PostgreSQL.
 */
export async function benchRelay() {
  const programs = findPrograms();
  if (programs === undefined) {
    console.log("PostgreSQL is not installed: the relay is not measured");
    return { faster: [], limits: [] };
  }
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-relay-"));
  const server = await startServer(programs, folder);
  try {
    return await measure(folder, server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder, server) {
  await loadCrypto();
  const genesis = join(folder, "genesis.json");
  const file = join(folder, "chain.rlp");
  const blocks = await makeBlocks();
  writeFileSync(genesis, JSON.stringify(CHAIN.genesisOf()));
  writeFileSync(file, Buffer.concat(blocks));
  // What blocks changed is kept, so that balances are relayed as well.
  const words = [
    `--genesis-file=${genesis}`,
    `--data-path=${join(folder, "data")}`,
    "--changes-enabled",
  ];
  const imported = spawnSync(process.execPath, [PROGRAM, ...words, "blocks", "import", file]);
  if (imported.status !== 0) throw new Error(String(imported.stderr));
  const pairs = [];
  for (let round = 0; round < ROUNDS; round++) {
    pairs.push(await timeCopies(folder, server, { words, last: blocks.length, round }));
  }
  const { ours, peer } = pairs.sort((a, b) => a.peer / a.ours - b.peer / b.ours)[
    Math.floor(pairs.length / 2)
  ];
  const lags = await timeLags(folder, server, words);
  const what = `${PER_SECOND} transfers/s`;
  return {
    faster: [
      ["a chain copied into PostgreSQL, and COPY of its rows", ours, peer, peer / ours, 0.3],
    ],
    limits: [
      [`ms from a block to its rows in PostgreSQL, median, at ${what}`, median(lags), 100],
      [`ms from a block to its rows in PostgreSQL, slowest, at ${what}`, Math.max(...lags), 500],
    ],
  };
}

/** Milliseconds in which a node copies its chain, and in which the server copies the same rows from files. */
async function timeCopies(folder, server, { words, last, round }) {
  const schema = `chain_${round}`;
  const node = await startRelay(folder, server, { words, schema });
  const read = () =>
    server.query(`SELECT block_number, committed_at FROM ${schema}.cursor`).catch(() => []);
  let began;
  for (;;) {
    const [row] = await read();
    // The row is created before the first block is read.
    if (row !== undefined) began ??= performance.now();
    if (Number(row?.[0]) === last) break;
    await pause(20);
  }
  const ours = performance.now() - began;
  await node.stop();
  await server.query(`CREATE SCHEMA bare_${round}`);
  for (const table of TABLES) {
    const path = `${server.folder}/${table}`;
    await server.query(`COPY ${schema}.${table} TO '${path}'`);
    await server.query(
      `CREATE TABLE bare_${round}.${table} (LIKE ${schema}.${table} INCLUDING ALL)`,
    );
  }
  const beganBare = performance.now();
  for (const table of TABLES) {
    await server.query(`COPY bare_${round}.${table} FROM '${server.folder}/${table}'`);
  }
  const peer = performance.now() - beganBare;
  const [[rows, size]] = await server.query(
    `SELECT (SELECT count(*) FROM ${schema}.transactions), sum(pg_total_relation_size(oid)) FROM pg_class
     WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r'`,
  );
  console.log(
    `relayed in ${ours.toFixed(0)} ms, ${Math.round((rows / ours) * 1000)} transactions/s; COPY ${peer.toFixed(0)} ms; ${Math.round(size / rows)} bytes per transaction`,
  );
  await server.query(`DROP SCHEMA bare_${round} CASCADE`);
  return { ours, peer };
}

/** Milliseconds from each block in the stream of changes to the notification of its commit. */
async function timeLags(folder, server, words) {
  const schema = "lag";
  const node = await startRelay(folder, server, { words, schema });
  const listener = await server.connect();
  const committed = new Map();
  listener.on("notification", ({ payload }) =>
    committed.set(JSON.parse(payload).hash, performance.now()),
  );
  await listener.query(`LISTEN ${schema}`);
  const head = () => node.rpc("eth_getBlockByNumber", ["latest", false]);
  while (!committed.has((await head()).hash)) await pause(20);
  let nonce = BigInt(await node.rpc("eth_getTransactionCount", [CHAIN.sender, "latest"]));
  const seen = new Map();
  for (let second = 0; second < SECONDS; second++) {
    for (let sent = 0; sent < PER_SECOND; sent++) {
      await node.rpc("eth_sendRawTransaction", [signed(nonce++)]);
    }
    const before = committed.size;
    const { result } = { result: await node.rpc("evm_mine", []) };
    if (result !== "0x0") throw new Error(`evm_mine: ${result}`);
    seen.set((await head()).hash, performance.now());
    while (committed.size === before) await pause(1);
  }
  await listener.end();
  await node.stop();
  return [...seen].map(([hash, at]) => Math.max(0, committed.get(hash) - at));
}

function signed(nonce) {
  const fields = { chainId: 1337n, nonce, gasPrice: 1_000_000_000n };
  return toHex(signTransaction({ ...fields, ...transferTo(CHAIN.sender) }, KEY));
}

/** A node whose relay writes to a schema. */
function startRelay(folder, server, { words, schema }) {
  const config = join(folder, "relay.toml");
  const lines = [
    'plugins = ["@plinth/plugin-relay-postgres", "@plinth/plugin-rpc-dev"]',
    `relay-postgres-url = "${server.url}"`,
    `relay-postgres-schema = "${schema}"`,
    "dev-period-seconds = 3600",
  ];
  writeFileSync(config, lines.join("\n"));
  return startNode([`--config-file=${config}`, ...words], 0, "ETH,NET,ADMIN,EVM", FLAGS);
}

/** A server with a Unix socket only, in another folder: its user differs. */
async function startServer(programs, folder) {
  const identity = findIdentity();
  const own = mkdtempSync(join(tmpdir(), "plinth-bench-postgres-"));
  if (identity.uid !== undefined) chownSync(own, identity.uid, identity.gid);
  const data = join(own, "data");
  const port = await freePort();
  execFileSync(join(programs, "initdb"), ["-D", data, "-U", USER, "--auth=trust"], {
    ...identity,
    cwd: own,
    stdio: "ignore",
  });
  const settings = [`port=${port}`, "listen_addresses=", `unix_socket_directories=${own}`];
  const child = spawn(
    join(programs, "postgres"),
    ["-D", data, ...settings.flatMap((each) => ["-c", each])],
    { ...identity, cwd: own, stdio: "ignore" },
  );
  const closed = once(child, "exit");
  const connect = async () => {
    const client = new pg.Client({ host: own, port, user: USER, database: "postgres" });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  let client;
  while (client === undefined && child.exitCode === null) {
    client = await connect().catch(() => pause(50));
  }
  if (client === undefined) throw new Error(`PostgreSQL in ${folder} does not start`);
  return {
    folder: own,
    url: `postgres://${USER}@localhost:${port}/postgres?host=${own}`,
    connect,
    async query(text) {
      const { rows } = await client.query({ text, rowMode: "array" });
      return rows;
    },
    async stop() {
      await client.end();
      child.kill("SIGINT");
      await closed;
      rmSync(own, { recursive: true, force: true });
    },
  };
}

function findPrograms() {
  if (!existsSync(FOLDER)) return undefined;
  const [newest] = readdirSync(FOLDER).sort((a, b) => Number(b) - Number(a));
  const path = newest && join(FOLDER, newest, "bin");
  return path && existsSync(join(path, "initdb")) ? path : undefined;
}

/** The user that runs the server: it refuses to run as root. */
function findIdentity() {
  if (process.getuid() !== 0) return {};
  const id = (flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
