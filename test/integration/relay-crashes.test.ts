import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { type Database, EmbeddedDatabase } from "@plinth/plugin-relay-postgres/api";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isPostgresMissing, PostgresServer } from "../support/postgres-server.js";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- relay` kills it 300 times. */
const CRASHES = Number(process.env.PLINTH_RELAY_CRASHES ?? 8);
/** The same with a server. */
const SERVER_CRASHES = Number(process.env.PLINTH_RELAY_NODE_CRASHES ?? 3);
/** Maximum time it works before it is killed. */
const MAX_WORK_MS = 150;
const PROGRAM = join(ROOT, "test/support/relay-chain.mjs");
const TABLES = ["transactions", "receipts", "logs", "balances", "events", "token_transfers"];

describe("a node that is killed while its chain is relayed", () => {
  let server: PGlite;
  beforeAll(async () => {
    server = await PGlite.create();
  });
  afterAll(() => server.close());

  it(
    `has every block once in the tables, ${CRASHES} times`,
    async () => {
      using folder = temporaryFolder();
      const database = new EmbeddedDatabase(server, async () => {});
      let next = load(folder.path, 0);
      for (let crash = 0; crash < CRASHES; crash++) {
        const { child, loaded } = next;
        await loaded;
        next = load(folder.path, crash + 1);
        await workAndCrash(child, database);

        // What the killed process left: its last transaction was committed or rolled back, with its cursor.
        await expectCommitted(database);
      }
      await next.loaded;
      next.child.kill("SIGKILL");
    },
    CRASHES * 20_000,
  );
});

describe.skipIf(isPostgresMissing)("a node that is killed while it relays to a server", () => {
  it(
    `has every block once in the tables, ${SERVER_CRASHES} times`,
    async () => {
      using folder = temporaryFolder();
      await using server = await PostgresServer.start("not asked for");
      const query = (sql: string) => server.query(sql);
      const database = {
        query,
        execute: async () => {},
        copy: async () => {},
        close: async () => {},
      };
      for (let crash = 0; crash < SERVER_CRASHES; crash++) {
        const { child, loaded } = load(folder.path, crash, server.socketUrl());
        await loaded;
        await workAndCrash(child, database);
        // The server ends what it has received of a connection that is lost.
        await vi.waitFor(async () => {
          const sessions = await server.query(
            "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'plinth%'",
          );
          expect(sessions).toEqual([]);
        });

        await expectCommitted(database);
      }
    },
    SERVER_CRASHES * 20_000,
  );
});

/** Starts a process, which loads its modules and then waits. */
function load(folder: string, seed: number, ...url: readonly string[]) {
  const child = fork(PROGRAM, [folder, String(seed), ...url], {
    execArgv: [],
    serialization: "advanced",
  });
  return { child, loaded: once(child, "message") };
}

/** Runs the statements of a process until it is killed, which is some time after the tables have its chain. */
async function workAndCrash(child: ChildProcess, database: Database): Promise<void> {
  let statements: Promise<void> = Promise.resolve();
  const ready = new Promise<readonly string[]>((resolve) => {
    child.on("message", (message: Message) => {
      if ("hashes" in message) resolve(message.hashes);
      else statements = statements.then(() => run(child, database, message));
    });
  });
  const closed = once(child, "exit");
  child.send({ isStarted: true });
  const hashes = await Promise.race([ready, closed.then(([code]) => [`exit code ${code}`])]);
  const rows = await database.query(
    "SELECT '0x' || encode(hash, 'hex') FROM plinth.blocks ORDER BY number",
  );
  expect(rows.flat()).toEqual(hashes);
  child.send({ isVerified: true });
  await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_WORK_MS));
  child.kill("SIGKILL");
  await closed;
  await statements;
  // A server does so when the connection is lost.
  await database.execute("ROLLBACK");
}

type Message =
  | { readonly hashes: readonly string[] }
  | {
      readonly id: number;
      readonly method: "query" | "execute" | "copy";
      readonly args: [string, never];
    };

async function run(
  child: ChildProcess,
  database: Database,
  { id, method, args }: Extract<Message, { readonly id: number }>,
): Promise<void> {
  // A statement is not run once its client is gone.
  if (!child.connected) return;
  try {
    const rows = await database[method](...args);
    if (child.connected) child.send({ id, rows: rows ?? [] });
  } catch (error) {
    if (child.connected) child.send({ id, error: String(error) });
  }
}

/** The tables have the blocks up to the one of the cursor, each linked to the one before, and rows of these only. */
async function expectCommitted(database: Database): Promise<void> {
  const [state] = await database.query(
    `SELECT block_number, encode(block_hash, 'hex'), count(number), max(number), min(number),
       (SELECT encode(hash, 'hex') FROM plinth.blocks WHERE number = block_number),
       count(*) FILTER (WHERE number > 0 AND NOT EXISTS (
         SELECT FROM plinth.blocks AS parent WHERE parent.number = each.number - 1 AND parent.hash = each.parent_hash
       ))
     FROM plinth.cursor LEFT JOIN plinth.blocks AS each ON true GROUP BY block_number, block_hash`,
  );
  const [number, hash, count, last, first, hashOfLast, unlinked] = state ?? [];
  expect({ count, last, first, hashOfLast, unlinked }).toEqual({
    ...{ count: String(Number(number) + 1), last: number, first: "0" },
    ...{ hashOfLast: hash, unlinked: "0" },
  });
  for (const table of TABLES) {
    const later = await database.query(
      `SELECT count(*) FROM plinth.${table} WHERE block_number > ${number}`,
    );
    expect([table, ...later.flat()]).toEqual([table, "0"]);
  }
  const [sums] = await database.query(
    "SELECT sum(transaction_count), (SELECT count(*) FROM plinth.transactions), (SELECT count(*) FROM plinth.receipts) FROM plinth.blocks",
  );
  expect(sums?.slice(1)).toEqual([sums?.[0], sums?.[0]]);
}
