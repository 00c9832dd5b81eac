import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { type Database, EmbeddedDatabase } from "@plinth/plugin-relay-postgres/api";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isPostgresMissing, PostgresServer } from "../support/postgres-server.js";
import { ROOT } from "../support/program.js";
import { expectCommitted } from "../support/relayed-chain.js";
import { ServedProcess } from "../support/served-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- relay` kills it 300 times. */
const CRASHES = Number(process.env.PLINTH_RELAY_CRASHES ?? 2);
/** The same with a server. */
const SERVER_CRASHES = Number(process.env.PLINTH_RELAY_NODE_CRASHES ?? 3);
/** Maximum time it works before it is killed. */
const MAX_WORK_MS = 150;
const PROGRAM = join(ROOT, "test/support/relay-chain.mjs");

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
      let next = load(database, [folder.path, 0]);
      for (let crash = 0; crash < CRASHES; crash++) {
        const relay = next;
        await relay.loaded;
        next = load(database, [folder.path, crash + 1]);
        await workAndCrash(relay, database);

        // What the killed process left: its last transaction was committed or rolled back, with its cursor.
        await expectCommitted(database);
      }
      await next.kill();
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
        await workAndCrash(load(database, [folder.path, crash, server.socketUrl()]), database);
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
function load(database: Database, args: readonly [folder: string, seed: number, url?: string]) {
  return new ServedProcess(PROGRAM, args.map(String), database);
}

/** Lets a process work until it is killed, which is some time after the tables have its chain. */
async function workAndCrash(relay: ServedProcess, database: Database): Promise<void> {
  const hashes = await relay.run("start");
  const rows = await database.query(
    "SELECT '0x' || encode(hash, 'hex') FROM plinth.blocks ORDER BY number",
  );
  expect(rows.flat()).toEqual(hashes);
  void relay.run("work");
  await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_WORK_MS));
  await relay.kill();
  // A server does so when the connection is lost.
  await database.execute("ROLLBACK");
}
