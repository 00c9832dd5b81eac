// A node with a relay, in a process that is killed. Its database is a server, or in the parent process, which runs the
// statements.
// It loads first and starts at a message, so that the next process can load while one works; once the tables have the
// chain it sends the hashes of its blocks, and after another message it changes the chain forever.
import { once } from "node:events";
import { setImmediate, setTimeout } from "node:timers/promises";
import { definePlugin } from "@plinth/core";
import changes from "@plinth/plugin-changes";
import { dependencies, options, registerRelay } from "@plinth/plugin-relay-postgres/api";
import storageLevel from "@plinth/plugin-storage-level";
import { createTestNode, transfer } from "@plinth/testing";
import { createRandom } from "./log-queries.mjs";

const MAX_BACK = 4;

const [folder, seed, url] = process.argv.slice(2);
const random = createRandom(Number(seed));
const waiting = new Map();
let calls = 0;
let isInTransaction = false;

const started = once(process, "message");
process.send({ isLoaded: true });
await started;
let begin;
const verified = new Promise((resolve) => {
  begin = resolve;
});
process.on("message", ({ id, rows, error }) => {
  if (id === undefined) return begin();
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) resolve(rows);
  else reject(new Error(error));
});
process.on("disconnect", () => process.exit(1));
const node = await start();
const { blocks } = node.node;
await untilRelayed();
process.send({ hashes: hashesOfChain() });
await verified;
await work();

/** Changes the chain in every possible way. */
async function work() {
  const heads = [];
  for (;;) {
    const kind = random(10);
    const { number, hash } = blocks.head();
    heads.push(hash);
    if (heads.length > MAX_BACK) heads.shift();
    if (kind < 7) await node.mine(random(2) === 0 ? [transfer(), transfer()] : []);
    else if (kind < 9) {
      const back = number - BigInt(random(MAX_BACK));
      await blocks.setHead(blocks.findHeader(back < 0n ? 0n : back).hash);
    } else await blocks.setHead(heads[random(heads.length)]);
    await setImmediate();
  }
}

async function untilRelayed() {
  const sql = "SELECT encode(block_hash, 'hex') FROM plinth.cursor WHERE stream_id IS NOT NULL";
  for (;;) {
    // The parent has one connection, which sees what is not committed yet.
    const rows = isInTransaction ? [] : await call("query", [sql]).catch(() => []);
    if (rows[0]?.[0] === blocks.head().hash.slice(2)) return;
    await setTimeout(1);
  }
}

function hashesOfChain() {
  const { number } = blocks.head();
  return Array.from(
    { length: Number(number) + 1 },
    (_, each) => blocks.findHeader(BigInt(each)).hash,
  );
}

/** Runs a statement in the parent process. */
function call(method, args) {
  calls += 1;
  const id = calls;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    process.send({ id, method, args });
  });
}

function start() {
  const execute = async (sql) => {
    if (sql === "BEGIN") isInTransaction = true;
    await call("execute", [sql]);
    if (sql === "COMMIT" || sql === "ROLLBACK") isInTransaction = false;
  };
  const open = async () => ({
    query: (...args) => call("query", args),
    copy: (...args) => call("copy", args),
    execute,
    close: async () => {},
  });
  const relay = definePlugin({
    name: "relay-postgres",
    dependencies,
    options,
    setup: (registering) =>
      registerRelay(registering, registering.config, url === undefined ? open : undefined),
  });
  return createTestNode({
    plugins: [storageLevel, changes, relay],
    options: {
      ...{ keyValueStorage: "leveldb", dataPath: folder, devPeriodSeconds: 3600 },
      ...{
        dataStorageFormat: "BONSAI",
        changesEnabled: true,
        relayPostgresUrl: url ?? "pglite:unused",
      },
      relayPostgresBatchBlocks: 3,
    },
  });
}
