import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { type Database, EmbeddedDatabase } from "@plinth/plugin-relay-postgres/api";
import { describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { createDice, type Dice } from "../support/mutate.js";
import { isPostgresMissing, PostgresServer } from "../support/postgres-server.js";
import { ROOT } from "../support/program.js";
import { expectCommitted } from "../support/relayed-chain.js";
import { ServedProcess } from "../support/served-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const CRASHES = 20;
/** With a server: `npm run long -- streams` kills them 300 times. */
const SERVER_CRASHES = Number(process.env.PLINTH_STREAM_CRASHES ?? 20);
const SEED = Number(process.env.PLINTH_SEED ?? Date.now() % 1_000_000);
/** After so many, everything is compared. */
const COMPARED = 50;
/** The maximum of what a process does before it is killed: changes of its head, and statements of a relay. */
const MAX_STEPS = 20;
/** Of so many, one is killed at most this time after the one before, whether or not it has started. */
const EARLY = 4;
const MAX_START_MS = 300;
const PROGRAM = join(ROOT, "test/support/stream-processes.mjs");

const ROLES = ["node", "replica", "relay"] as const;
type Role = (typeof ROLES)[number];

/** What a process has on its chain. */
interface Description {
  readonly number: number;
  readonly transactions: number;
  readonly logs: number;
  readonly chain: string;
  readonly problems: readonly string[];
}

describe("a node, its replica and a relay that are killed under load", () => {
  it(
    `have the same chain, and each block once in the tables, after ${CRASHES} kills (seed ${SEED})`,
    async () => {
      await using database = await EmbeddedServer.create();
      await crashAndCompare(database, {
        victims: ROLES,
        crashes: CRASHES,
      });
    },
    60_000 + CRASHES * 20_000,
  );
});

describe.skipIf(isPostgresMissing)(
  "PostgreSQL, a node, its replica and a relay that are killed",
  () => {
    it(
      `have the same chain, and each block once in the tables, after ${SERVER_CRASHES} kills (seed ${SEED})`,
      async () => {
        await using server = await PostgresServer.start("not asked for");
        await crashAndCompare(new KilledServer(server), {
          victims: [...ROLES, "database"],
          crashes: SERVER_CRASHES,
        });
      },
      60_000 + SERVER_CRASHES * 20_000,
    );
  },
);

/** An embedded database, which loses its client when the relay is killed. */
class EmbeddedServer implements TestDatabase, AsyncDisposable {
  readonly database: Database;

  private constructor(database: Database) {
    this.database = database;
  }

  static async create(): Promise<EmbeddedServer> {
    const server = await PGlite.create();
    return new EmbeddedServer(new EmbeddedDatabase(server, async () => {}));
  }

  /** Its last transaction was committed or is rolled back, with its cursor. */
  async relayKilled(): Promise<void> {
    await this.database.execute("ROLLBACK");
    await expectCommitted(this.database);
  }

  async kill(): Promise<void> {
    throw new Error("an embedded database ends with its process");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.database.close();
  }
}

/** A server, which recovers from its log after it was killed. */
class KilledServer implements TestDatabase {
  readonly #server: PostgresServer;
  readonly url: string;
  readonly database: Database;

  constructor(server: PostgresServer) {
    this.#server = server;
    this.url = server.socketUrl();
    this.database = {
      query: (sql) => server.query(sql),
      execute: async () => {},
      copy: async () => {},
      close: async () => {},
    };
  }

  async relayKilled(): Promise<void> {}

  async kill(): Promise<void> {
    await this.#server.kill();
    await this.#server.restart();
  }
}

/** Where the tables are. */
interface TestDatabase {
  /** The address for the relay; its statements run here without one. */
  readonly url?: string;
  readonly database: Database;
  /** Verifies what a killed relay has left. */
  relayKilled(): Promise<void>;
  kill(): Promise<void>;
}

async function crashAndCompare(
  database: TestDatabase,
  {
    victims,
    crashes,
  }: {
    readonly victims: readonly (Role | "database")[];
    readonly crashes: number;
  },
): Promise<void> {
  using folder = temporaryFolder();
  const random = createDice(SEED);
  const processes = await Processes.start(folder.path, database, random);
  const killed = new Map<string, number>();
  try {
    for (let crash = 1; crash <= crashes; crash++) {
      const victim = victims[random(victims.length)] as Role | "database";
      const working = victim === "database" ? "relay" : victim;
      if (random(EARLY) > 0) await processes.proceed(working, random(MAX_STEPS));
      else await new Promise((resolve) => setTimeout(resolve, random(MAX_START_MS)));
      if (victim === "database") await database.kill();
      else await processes.kill(victim);
      killed.set(victim, (killed.get(victim) ?? 0) + 1);
      if (crash % COMPARED !== 0 && crash < crashes) continue;
      const { number, transactions, logs } = await processes.compare();
      process.stdout.write(
        `seed ${SEED}: killed ${JSON.stringify(Object.fromEntries(killed))}; ${number} blocks, ${transactions} transactions, ${logs} logs\n`,
      );
    }
  } finally {
    await processes.end();
  }
}

/** The processes of all roles, and one that is loaded and has none. */
class Processes {
  readonly #folder: string;
  readonly #database: TestDatabase;
  readonly #random: Dice;
  readonly #ports: Readonly<Record<Role, number>>;
  readonly #running = new Map<Role, ServedProcess>();
  #next: ServedProcess;

  private constructor(
    folder: string,
    database: TestDatabase,
    { random, ports }: { random: Dice; ports: Readonly<Record<Role, number>> },
  ) {
    this.#folder = folder;
    this.#database = database;
    this.#random = random;
    this.#ports = ports;
    this.#next = this.#load();
  }

  static async start(folder: string, database: TestDatabase, random: Dice) {
    const ports = { node: await freePort(), replica: await freePort(), relay: await freePort() };
    const processes = new Processes(folder, database, { random, ports });
    for (const role of ROLES) await processes.#start(role);
    // From here on the tables exist.
    await processes.#of("relay").run("relay");
    return processes;
  }

  /** Resolves once a process has done a number of steps. */
  proceed(role: Role, steps: number): Promise<void> {
    return this.#of(role).proceed(steps);
  }

  /** Kills a process, which may be starting, and starts another one in its place. */
  async kill(role: Role): Promise<void> {
    await this.#running.get(role)?.kill();
    if (role === "relay") await this.#database.relayKilled();
    await this.#start(role);
  }

  /** Waits until all have what the node has, compares all of it, and lets them continue. */
  async compare(): Promise<Description> {
    const [node, replica, relay] = ROLES.map((role) => this.#of(role)) as [
      ServedProcess,
      ServedProcess,
      ServedProcess,
    ];
    const { head } = (await node.run("pause")) as { readonly head: string };
    await Promise.all([
      replica.run("reach", { head }),
      relay.run("reach", { head, isRelayed: true }),
    ]);
    const described: Description[] = [];
    for (const each of [node, replica, relay]) {
      described.push((await each.run("describe")) as Description);
    }
    const [expected] = described as [Description];
    expect(described).toEqual(described.map(() => ({ ...expected, problems: [] })));
    const verified = await relay.run("verifyTables");
    expect(verified).toEqual({
      code: 0,
      text: expect.stringContaining(`${expected.number} are those of the chain.`),
    });
    expect(await this.#countRows()).toEqual({
      ...{ blocks: expected.number + 1, blocksOnce: expected.number + 1 },
      ...{ transactions: expected.transactions, transactionsOnce: expected.transactions },
      ...{ receipts: expected.transactions, logs: expected.logs, tokenTransfers: expected.logs },
    });
    await this.kill("relay");
    await node.run("resume", { seed: this.#random(1_000_000) });
    return expected;
  }

  async end(): Promise<void> {
    for (const each of [...this.#running.values(), this.#next]) await each.kill();
  }

  async #countRows() {
    const [row = []] = await this.#database.database.query(
      `SELECT (SELECT count(*) FROM plinth.blocks), (SELECT count(DISTINCT hash) FROM plinth.blocks),
         (SELECT count(*) FROM plinth.transactions), (SELECT count(DISTINCT hash) FROM plinth.transactions),
         (SELECT count(*) FROM plinth.receipts), (SELECT count(*) FROM plinth.logs),
         (SELECT count(*) FROM plinth.token_transfers)`,
    );
    const [blocks, blocksOnce, transactions, transactionsOnce, receipts, logs, tokenTransfers] =
      row.map(Number);
    return {
      ...{ blocks, blocksOnce, transactions, transactionsOnce },
      ...{ receipts, logs, tokenTransfers },
    };
  }

  #of(role: Role): ServedProcess {
    const found = this.#running.get(role);
    if (found === undefined) throw new Error(`there is no ${role}`);
    return found;
  }

  #load(): ServedProcess {
    return new ServedProcess(PROGRAM, [], this.#database.database);
  }

  /** The replica follows the node; the relay follows either, and the other one if that fails. */
  async #start(role: Role): Promise<void> {
    const started = this.#next;
    await started.loaded;
    this.#next = this.#load();
    this.#running.set(role, started);
    const [node, replica] = [this.#ports.node, this.#ports.replica].map(
      (port) => `http://127.0.0.1:${port}`,
    );
    const both = this.#random(2) === 0 ? [node, replica] : [replica, node];
    void started.run("start", {
      ...{ role, folder: join(this.#folder, role), port: this.#ports[role] },
      ...{ sources: role === "relay" ? both : [node], url: this.#database.url },
      seed: this.#random(1_000_000),
    });
  }
}
