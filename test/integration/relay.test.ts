import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { definePlugin, type Plugin, type SealedHeader } from "@plinth/core";
import { Mutex } from "@plinth/core/async";
import changes from "@plinth/plugin-changes";
import consensusClique from "@plinth/plugin-consensus-clique";
import plugin from "@plinth/plugin-relay-postgres";
import {
  type Database,
  dependencies,
  EmbeddedDatabase,
  options,
  type Row,
  registerRelay,
  selectSchema,
} from "@plinth/plugin-relay-postgres/api";
import rpcDev from "@plinth/plugin-rpc-dev";
import {
  ALICE,
  BOB,
  createTestNode,
  DEV_GENESIS,
  evms,
  recordLogs,
  transfer,
} from "@plinth/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { cliqueGenesis, SIGNERS, sealedOn, type TestSigner } from "../support/clique-chain.js";
import { ROOT } from "../support/program.js";
import { expectRelayed, untilRelayed } from "../support/relayed-chain.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const RUNS = Number(process.env.PLINTH_RELAY_SCHEDULES ?? 5);
const URL = "pglite:unused";

/** A contract that logs three topics and a word, which are its input. */
const EMITTER = `0x${"ee".repeat(20)}` as const;
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    [EMITTER]: { code: "0x6020606060003760403560203560003560206000a300" },
  },
};
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** One server for all tests: to create one takes seconds. */
let server: PGlite;
let schemas = 0;

beforeAll(async () => {
  server = await PGlite.create();
});
afterAll(() => server.close());

describe("--relay-postgres-url", () => {
  it("writes the chain from block 0 on, and follows it", async () => {
    await using test = await start();
    await test.node.mine([transfer({ to: BOB, value: 5n })]);

    const [block, next] = await test.read(
      "SELECT number, encode(hash, 'hex'), transaction_count FROM blocks ORDER BY number",
    );
    expect(block).toEqual(["0", test.header(0n).hash.slice(2), "0"]);
    expect(next).toEqual(["1", test.header(1n).hash.slice(2), "1"]);
    expect(
      await test.read(
        "SELECT encode(from_address, 'hex'), encode(to_address, 'hex'), value, nonce FROM transactions",
      ),
    ).toEqual([[ALICE.address.slice(2), BOB.slice(2), "5", "0"]]);
    expect(await test.read("SELECT status, gas_used, cumulative_gas_used FROM receipts")).toEqual([
      ["1", "21000", "21000"],
    ]);
    await test.expectEqual();
  });

  it("copies the blocks that are there before it is used", async () => {
    await using test = await start({ isRelaying: false });
    await test.node.mine([transfer()], [], [transfer(), transfer()]);

    await test.restart({ isRelaying: true });

    expect(await test.read("SELECT count(*) FROM blocks")).toEqual([["4"]]);
    expect(await test.read("SELECT count(*) FROM transactions")).toEqual([["3"]]);
    await test.expectEqual();
  });

  it("continues after a restart where it was", async () => {
    await using test = await start();
    await test.node.mine([transfer()]);
    await test.settle();
    const [before] = await test.read("SELECT encode(stream_id, 'hex'), sequence FROM cursor");

    await test.restart();
    await test.node.mine([transfer()]);
    await test.settle();

    const [after] = await test.read("SELECT encode(stream_id, 'hex'), sequence FROM cursor");
    expect(after).toEqual([before?.[0], String(Number(before?.[1]) + 1)]);
    await test.expectEqual();
  });

  it("deletes the blocks of a reorganization and adds the others in one transaction", async () => {
    await using test = await start();
    await test.node.mine([transfer()], [transfer()], []);
    await test.settle();
    const seen = test.recordStates();

    await test.node.reorganize(2);
    await test.settle();

    await test.expectEqual();
    // The head is never seen below the reorganized one, and the blocks are always connected.
    expect(seen.every(({ head, connected }) => head >= 3n && connected)).toBe(true);
    expect(seen.length).toBeGreaterThan(0);
  });

  it("follows a head that is set back and forth", async () => {
    await using test = await start();
    const mined = await test.node.mine([transfer()], [], [transfer()]);
    await test.setHead(1n);
    await test.settle();
    await test.expectEqual();

    await test.node.node.blocks.setHead((mined[2] as SealedHeader).hash);
    await test.settle();

    await test.expectEqual();
  });

  it("finds the last common block if the chain was changed without the stream", async () => {
    await using test = await start();
    await test.node.mine([transfer()], [transfer()], [transfer()]);
    await test.settle();
    await test.restart({ isRelaying: false, changesEnabled: false });
    await test.setHead(1n);
    await test.node.mine([], []);

    await test.restart({ isRelaying: true, changesEnabled: true });

    await test.expectEqual();
  });

  it("finds it if records that it has not read are no longer kept", async () => {
    await using test = await start({ changesRetained: 2 });
    await test.node.mine([transfer()], []);
    await test.settle();
    await test.restart({ isRelaying: false });
    await test.setHead(1n);
    await test.node.mine([transfer()], [], [], []);

    await test.restart({ isRelaying: true });

    await test.expectEqual();
  });

  it("names the blocks if the stream has their records, and the node no longer has them", async () => {
    await using test = await start();
    await test.node.mine([transfer()]);
    await test.settle();
    await test.restart({ isRelaying: false, blocksRetained: "1024" });
    await test.node.mine(...Array.from({ length: 1040 }, () => []));

    await test.restart({ isRelaying: true });
    await vi.waitFor(() => expect(test.warnings()).not.toEqual([]));

    expect(test.warnings()[0]).toMatch(
      /the tables end with block 1, and this node keeps blocks from \d+ on/,
    );
  });

  it("has a transaction twice if the chain has: a development chain can set nonces back", async () => {
    await using test = await start({ plugins: [rpcDev] });
    await test.node.mine([transfer()]);
    await test.node.rpc("anvil_setNonce", [ALICE.address, "0x0"]);
    await test.node.mine([transfer()]);

    expect(await test.read("SELECT count(*), count(DISTINCT hash) FROM transactions")).toEqual([
      ["2", "1"],
    ]);
    await test.expectEqual();
  });

  it("keeps nothing of a transaction that fails, and continues when the database does", async () => {
    await using test = await start();
    await test.node.mine([transfer()]);
    await test.settle();
    test.failNext(/INSERT INTO receipts/);

    await test.node.mine([transfer()], [transfer()]);
    await test.settle();

    await test.expectEqual();
    expect(test.warnings()).toEqual([
      expect.stringMatching(
        /pglite:.*: not this statement; trying again in 0.5 s, the node continues/,
      ),
    ]);
  });

  it("commits once if the connection is lost while it commits", async () => {
    await using test = await start();
    await test.node.mine([transfer()]);
    await test.settle();
    test.failNext(/^COMMIT/, { isExecuted: true });

    await test.node.mine([transfer()], [transfer()]);
    await test.settle();

    await test.expectEqual();
  });

  it("decodes events and token transfers, and events again if the ABI files change", async () => {
    using folder = temporaryFolder();
    const abiFile = folder.file("Token.json");
    const parameters = (from: string) => [
      { name: from, type: "address", indexed: true },
      { name: "to", type: "address", indexed: true },
      { name: "value", type: "uint256" },
    ];
    const writeAbi = (from: string) =>
      writeFileSync(
        abiFile,
        JSON.stringify({
          abi: [{ type: "event", name: "Transfer", inputs: parameters(from) }],
        }),
      );
    writeAbi("from");
    await using test = await start({ relayPostgresAbiFiles: [abiFile] });
    const move = (value: bigint) => tokenTransfer(value);
    await test.node.mine([move(5n), transfer()], [move(7n)]);
    const readEvents = () =>
      test.read("SELECT block_number, contract, name, arguments FROM events ORDER BY block_number");
    const readTransfers = () =>
      test.read(
        "SELECT block_number, standard, encode(from_address, 'hex'), encode(to_address, 'hex'), value FROM token_transfers ORDER BY block_number",
      );
    const [from, to] = [ALICE.address.slice(2), BOB.slice(2)];
    // jsonb has shorter names first.
    const json = (name: "from" | "sender", value: string) =>
      name === "from"
        ? `{"to": "${BOB}", "from": "${ALICE.address}", "value": "${value}"}`
        : `{"to": "${BOB}", "value": "${value}", "sender": "${ALICE.address}"}`;

    expect(await readEvents()).toEqual([
      ["1", "Token", "Transfer", json("from", "5")],
      ["2", "Token", "Transfer", json("from", "7")],
    ]);
    expect(await readTransfers()).toEqual([
      ["1", "ERC-20", from, to, "5"],
      ["2", "ERC-20", from, to, "7"],
    ]);
    await test.node.reorganize(1, [], [move(9n)]);
    writeAbi("sender");
    await test.restart();
    await vi.waitFor(async () =>
      expect(await readEvents()).toEqual([
        ["1", "Token", "Transfer", json("sender", "5")],
        ["3", "Token", "Transfer", json("sender", "9")],
      ]),
    );

    expect((await readTransfers()).map(([number]) => number)).toEqual(["1", "3"]);
    await test.expectEqual();
  });

  it.each(["pg_chain", "information_schema", 'a"; DROP', "A", "a".repeat(51)])(
    "rejects the schema %j",
    async (relayPostgresSchema) => {
      const options = { changesEnabled: true, relayPostgresUrl: URL, relayPostgresSchema };

      await expect(createTestNode({ plugins: [changes, plugin], options })).rejects.toMatchObject({
        message: expect.stringContaining("relay-postgres-schema"),
      });
    },
  );

  it("rejects an ABI file that is none", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("Token.json"), '{"abi": [{"type": "event"}]}');

    await expect(
      start({ relayPostgresAbiFiles: [folder.file("Token.json")] }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(
        /--relay-postgres-abi-files: .*Token.json: "" is not the name of an event/,
      ),
    });
  });

  it("notifies listeners of each commit", async () => {
    await using test = await start();
    const received: string[] = [];
    await test.settle();
    const unlisten = await server.listen(test.schema, (payload) => received.push(payload));

    const [header] = await test.node.mine([]);
    await test.settle();
    await vi.waitFor(() => expect(received).not.toEqual([]));
    await unlisten();

    expect(received.map((text) => JSON.parse(text))).toEqual([{ number: 1, hash: header?.hash }]);
  });

  it("reports its lag", async () => {
    await using test = await start({ relayPostgresMaxLag: 1 });
    await test.node.mine([], []);
    await test.settle();
    const healthy = await test.health();
    test.failNext(/^BEGIN/, { isRepeated: true });

    await test.node.mine([], []);

    expect(healthy).toMatchObject({ status: "up", detail: "0 blocks behind" });
    await vi.waitFor(async () =>
      expect(await test.health()).toMatchObject({
        status: "down",
        detail: "2 blocks behind, more than --relay-postgres-max-lag=1: not this statement",
      }),
    );
  });

  it("needs the stream", async () => {
    await expect(start({ changesEnabled: false })).rejects.toMatchObject({
      message: expect.stringContaining("--relay-postgres-url needs --changes-enabled"),
    });
  });

  it("rejects the tables of another chain", async () => {
    await using test = await start();
    await test.settle();
    await test.run("UPDATE cursor SET genesis_hash = '\\x1234'");

    await test.restart();
    await vi.waitFor(() => expect(test.warnings()).not.toEqual([]));

    expect(test.warnings()[0]).toContain(
      "the tables have the chain whose block 0 is 0x1234, and this node has",
    );
  });

  it("rejects tables of a later version", async () => {
    await using test = await start();
    await test.settle();
    await test.run("INSERT INTO migrations (version) VALUES (99)");

    await test.restart();
    await vi.waitFor(() => expect(test.warnings()).not.toEqual([]));

    expect(test.warnings()[0]).toContain("has version 99, and this version of the plugin");
  });

  it("is off without the option", async () => {
    await using node = await createTestNode({ plugins: [changes, plugin] });

    const { checks } = await node.node.health();
    expect(checks.map(({ plugin: name }) => name)).not.toContain("relay-postgres");
  });

  it(`has the canonical chain after random schedules, ${RUNS} times`, async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ mine: fc.integer({ min: 1, max: 3 }) }) },
      { weight: 3, arbitrary: fc.record({ back: fc.integer({ min: 1, max: 6 }) }) },
      { weight: 2, arbitrary: fc.record({ forth: fc.nat() }) },
      { weight: 2, arbitrary: fc.record({ branch: fc.integer({ min: 1, max: 3 }) }) },
      { weight: 1, arbitrary: fc.constant({ fail: true }) },
      { weight: 1, arbitrary: fc.record({ isRelaying: fc.boolean() }) },
      {
        weight: 1,
        arbitrary: fc.record({ isRelaying: fc.constant(false), changesEnabled: fc.boolean() }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        await using test = await start({ changesRetained: 10 });
        const heads: SealedHeader[] = [test.head()];
        for (const each of steps) {
          await test.step(each, heads);
          heads.push(test.head());
        }
        await test.restart({ isRelaying: true, changesEnabled: true });
        await test.expectEqual();
      }),
      { numRuns: RUNS },
    );
  });
});

describe("other chains", () => {
  it("with Clique are followed through a reorganization to a heavier branch", async () => {
    const [signer, other] = SIGNERS;
    const members = [signer.address, other.address];
    const genesis = cliqueGenesis({
      signers: [signer, other],
      timestamp: 1_700_000_000,
      alloc: { [ALICE.address]: { balance: "1000" } },
    });
    await using test = await start({ genesis, plugins: [...evms, consensusClique] });
    const { blocks } = test.node.node;
    const extend = async (parent: SealedHeader, by: TestSigner, seconds: bigint) => {
      const { block } = await blocks.import(sealedOn(parent, { signer: by, members, seconds }), {
        origin: "file",
      });
      return block.header;
    };
    // Block 1 by the signer whose turn it is has difficulty 2, and 1 by the other one.
    const first = await extend(blocks.head(), signer, 20n);
    const light = await extend(first, other, 20n);
    await test.expectEqual();

    const branch = await extend(test.header(0n), other, 10n);
    const heavy = await extend(branch, signer, 30n);
    const head = await extend(heavy, other, 40n);

    expect([light.hash, head.hash]).toContain(blocks.head().hash);
    expect(blocks.head().hash).toBe(head.hash);
    await test.expectEqual();
  });

  it("with states of the other layout have no balances, which is reported once", async () => {
    await using test = await start({ dataStorageFormat: "FOREST" });
    await test.node.mine([transfer()], [transfer()]);
    await test.settle();

    expect(await test.read("SELECT count(*) FROM transactions")).toEqual([["2"]]);
    expect(await test.read("SELECT count(*) FROM balances")).toEqual([["0"]]);
    expect(test.warnings()).toEqual([
      expect.stringMatching(/^the table balances stays empty: .*--data-storage-format=FOREST/),
    ]);
  });
});

describe("the balances of a block whose tries are no longer kept", () => {
  const kept = { dataStorageFormat: "BONSAI", historyProofsBlocks: 4 };
  const blocks = Array.from({ length: 8 }, () => [transfer()]);

  it("are not the first ones of a relay, which begins with those of the head", async () => {
    await using test = await start({ ...kept, isRelaying: false });
    await test.node.mine(...blocks);

    await test.restart({ isRelaying: true });

    await test.expectEqual();
    expect(await test.read("SELECT balances_from FROM cursor")).toEqual([["8"]]);
    expect(test.warnings()).toEqual([]);
  });

  it("are not compared, unlike all other rows", async () => {
    await using test = await start(kept);
    await test.settle();
    await test.node.mine(...blocks);
    await test.settle();
    await test.node.stop();

    const { code, stdout, stderr } = await test.node.command("relay verify");

    expect(stderr).toContain("balances after block 0 are not compared");
    expect(stdout).toContain("the rows of the blocks 0 to 8 are those of the chain");
    expect(code).toBe(0);
  });
});

describe("the guide and the dashboard", () => {
  it("have queries that run on the tables", async () => {
    await using test = await start();
    await test.node.mine([transfer(), tokenTransfer(5n)], [tokenTransfer(6n)]);
    await test.settle();
    const guide = readFileSync(join(ROOT, "docs/operators/relay-postgres.md"), "utf8");
    const examples = [...guide.matchAll(/^```sql\n(SELECT[^`]+);\n```$/gm)].map(
      ([, sql = ""]) => sql,
    );
    const { panels } = JSON.parse(
      readFileSync(join(ROOT, "docs/operators/relay-postgres-dashboard.json"), "utf8"),
    );
    const queries: string[] = panels.flatMap((panel: { targets: { rawSql: string }[] }) =>
      panel.targets.map(({ rawSql }) => rawSql),
    );

    expect([examples.length, queries.length]).toEqual([3, 10]);
    for (const sql of [...examples, ...queries]) {
      await test.read(
        sql
          .replaceAll("plinth.", `${test.schema}.`)
          // As Grafana replaces them.
          .replace(/\$__timeFilter\((\w+)\)/, "$1 BETWEEN '1970-01-01' AND now()")
          .replace(/\$__timeGroup\((\w+), '1m'\)/, "date_bin('1 minute', $1, '1970-01-01')"),
      );
    }
  });
});

describe("plinth relay", () => {
  it("verify finds rows that are wrong, missing and extra, and rebuild replaces them", async () => {
    await using test = await start();
    await test.node.mine([transfer(), tokenTransfer(5n)], [], [transfer()]);
    await test.settle();
    await test.node.stop();
    const verified = await test.node.command("relay verify");

    await test.run(`
      UPDATE transactions SET value = 7 WHERE block_number = 3;
      DELETE FROM receipts WHERE block_number = 1 AND transaction_index = 0;
      INSERT INTO token_transfers SELECT 2, log_index, batch_index, transaction_hash, token, standard,
        operator, from_address, to_address, token_id, value FROM token_transfers;
      INSERT INTO logs SELECT 9, log_index, transaction_index, transaction_hash, address,
        topic0, topic1, topic2, topic3, data FROM logs;
      UPDATE balances SET balance = balance + 1 WHERE block_number = 3 AND address = '\\x${BOB.slice(2)}';
    `);
    const lines: string[] = [];
    const wrong = test.node.command("relay verify", { lines } as never);

    expect(verified.stdout).toMatch(/: the rows of the blocks 0 to 3 are those of the chain.\n$/);
    await expect(wrong).rejects.toMatchObject({
      code: "RELAY_TABLES_WRONG",
      message: "5 problems were found. `relay rebuild` copies all rows again.",
    });
    const rebuilt = await test.node.command("relay rebuild");
    expect(rebuilt.stdout).toBe(`Blocks 0 to 3 are in the schema ${test.schema}.\n`);
    expect((await test.node.command("relay verify")).stdout).toContain("are those of the chain");
    await test.node.restart();
    await test.node.mine([transfer()]);
    await test.expectEqual();
  });

  it("rebuild leaves the tables of another chain as they are", async () => {
    await using test = await start();
    await test.node.mine([transfer()]);
    await test.settle();
    await test.node.stop();
    await test.run("UPDATE cursor SET genesis_hash = '\\x1234'");

    await expect(test.node.command("relay rebuild")).rejects.toMatchObject({
      code: "RELAY_OTHER_CHAIN",
    });
    const { stdout } = await test.node.command("relay status");

    expect(stdout).toContain("Blocks:    0 to 1 (");
  });

  it.each([{ from: 4 }, { from: 3, to: 2 }])(
    "verify rejects a range without blocks: %j",
    async (flags) => {
      await using test = await start();
      await test.node.mine([], [], []);
      await test.settle();
      await test.node.stop();

      await expect(test.node.command("relay verify", { flags })).rejects.toMatchObject({
        code: "RELAY_RANGE_INVALID",
        message: `there is nothing to compare from block ${flags.from} to ${flags.to ?? 3}: the tables have the blocks 0 to 3 of the chain`,
      });
    },
  );

  it("status shows what the tables have", async () => {
    await using test = await start();
    const [, head] = await test.node.mine([], []);
    await test.settle();
    await test.node.stop();

    const { stdout } = await test.node.command("relay status");

    expect(stdout).toContain(`Blocks:    0 to 2 (${head?.hash})`);
    expect(stdout).toContain("Balances:  after block 0 and later ones");
    expect(stdout).toMatch(/Stream: {4}0x[0-9a-f]{64}, record 2/);
  });

  it.each(["status", "verify"])("%s names what is missing", async (name) => {
    await using test = await start({ isRelaying: false });
    await test.node.stop();

    await expect(test.node.command(`relay ${name}`)).rejects.toMatchObject({
      code: "RELAY_URL_MISSING",
    });
  });
});

type Step =
  | { readonly mine: number }
  | { readonly back: number }
  | { readonly forth: number }
  | { readonly branch: number }
  | { readonly fail: boolean }
  | { readonly isRelaying: boolean; readonly changesEnabled?: boolean };

interface Settings {
  readonly isRelaying?: boolean;
  readonly changesEnabled?: boolean;
  readonly changesRetained?: number;
  readonly relayPostgresMaxLag?: number;
  readonly relayPostgresAbiFiles?: readonly string[];
  readonly dataStorageFormat?: string;
  readonly blocksRetained?: string;
}

/** A statement that fails, before or after it has an effect. */
interface Fault {
  readonly statement: RegExp;
  readonly isExecuted?: boolean;
  readonly isRepeated?: boolean;
}

/** A transaction that logs a transfer from Alice to Bob. */
function tokenTransfer(value: bigint) {
  const words = [TRANSFER, ALICE.address.slice(2), BOB.slice(2), value.toString(16)];
  const data = words.map((word) => word.padStart(64, "0")).join("");
  return transfer({ to: EMITTER, value: 0n, data, gasLimit: 100_000n });
}

/** Waits for a turn; it ends when the returned function is called. */
function enter(turns: Mutex): Promise<() => void> {
  return new Promise((entered) => {
    void turns.run(() => new Promise<void>((leave) => entered(leave)));
  });
}

/** A node whose relay writes to a schema of the server. */
async function start({
  genesis = GENESIS,
  plugins = [],
  ...given
}: Settings & { readonly genesis?: object; readonly plugins?: readonly Plugin[] } = {}) {
  schemas += 1;
  const schema = `chain_${schemas}`;
  const logs = recordLogs();
  const exclusive = new Mutex();
  let fault: Fault | undefined;
  let settings = given;
  const states: { head: bigint; connected: boolean }[] = [];
  let isRecording = false;
  const embedded = new EmbeddedDatabase(server, async () => {});
  let leave: (() => void) | undefined;

  /** Runs a statement of the relay, unless it is to fail. */
  const guard = async <T>(sql: string, execute: () => Promise<T>): Promise<T> => {
    const isFailing = fault?.statement.test(sql) === true;
    const { isExecuted = false, isRepeated = false } = fault ?? {};
    if (!isFailing) return execute();
    if (!isRepeated) fault = undefined;
    if (isExecuted) await execute();
    throw new Error("not this statement");
  };
  const observe = async () => {
    if (!isRecording) return;
    const [row] = await embedded.query(
      `SELECT max(number), bool_and(number = 0 OR parent_hash IN (SELECT hash FROM "${schema}".blocks)) FROM "${schema}".blocks`,
    );
    states.push({ head: BigInt(row?.[0] ?? 0), connected: String(row?.[1]).startsWith("t") });
  };
  const open = async (): Promise<Database> => ({
    query: (sql, values) => guard(sql, () => embedded.query(sql, values)),
    copy: (target, bytes) => guard(target, () => embedded.copy(target, bytes)),
    // No other connection sees what is not committed; this one would.
    async execute(sql) {
      if (sql === "BEGIN") leave = await enter(exclusive);
      try {
        await guard(sql, () => embedded.execute(sql));
        if (sql === "COMMIT") await observe();
      } finally {
        if (sql === "COMMIT" || sql === "ROLLBACK") leave?.();
      }
    },
    close: async () => {},
  });
  const wrapped = definePlugin({
    name: "relay-postgres",
    dependencies,
    options,
    setup: (node) => registerRelay(node, node.config, open),
  });
  const optionsOf = ({ isRelaying = true, changesEnabled = true, ...more }: Settings) => ({
    ...(genesis === GENESIS ? { devPeriodSeconds: 3600 } : {}),
    changesEnabled,
    relayPostgresSchema: schema,
    ...(isRelaying ? { relayPostgresUrl: URL } : {}),
    ...more,
  });
  const nodeOptions = optionsOf(settings);
  const node = await createTestNode({
    ...{ plugins: [changes, wrapped, ...plugins], logs, options: nodeOptions },
    genesis,
  });
  const head = () => node.node.blocks.head();
  const header = (number: bigint) => node.node.blocks.findHeader(number) as SealedHeader;
  const read = async (sql: string): Promise<readonly Row[]> => {
    await settle();
    return exclusive.run(async () => {
      await selectSchema(embedded, schema);
      return embedded.query(sql);
    });
  };
  const run = (sql: string) => exclusive.run(() => embedded.execute(sql));
  const inTurn = (sql: string) => exclusive.run(() => embedded.query(sql));
  /** Resolves once the head is in the database. */
  const settle = () => untilRelayed(node.node, inTurn, schema);
  const restart = async (changed: Settings = {}) => {
    settings = { ...settings, ...changed };
    const next = optionsOf(settings);
    for (const key of Object.keys(nodeOptions))
      delete (nodeOptions as Record<string, unknown>)[key];
    Object.assign(nodeOptions, next);
    fault = undefined;
    await node.restart();
  };
  const setHead = async (number: bigint) => {
    await node.node.blocks.setHead(header(number).hash);
  };
  return {
    ...{ node, schema, head, header, read, run, settle, restart, setHead },
    recordStates() {
      isRecording = true;
      return states;
    },
    failNext(statement: RegExp, more: Omit<Fault, "statement"> = {}) {
      fault = { statement, ...more };
    },
    warnings: () =>
      logs.entries
        .filter(({ logger, level }) => logger === "relay-postgres" && level === "warn")
        .map(({ message }) => message),
    health: async () => {
      const { checks } = await node.node.health();
      return checks.find(({ plugin: name }) => name === "relay-postgres");
    },
    /** The tables have the canonical chain and nothing else. */
    async expectEqual() {
      await settle();
      await expectRelayed(node.node, inTurn, schema);
    },
    async step(step: Step, heads: readonly SealedHeader[]) {
      const number = Number(head().number);
      if ("mine" in step) {
        await node.mine(...Array.from({ length: step.mine }, () => [transfer({ to: BOB })]));
      } else if ("back" in step) await setHead(BigInt(Math.max(0, number - step.back)));
      else if ("forth" in step) {
        await node.node.blocks.setHead((heads[step.forth % heads.length] as SealedHeader).hash);
      } else if ("branch" in step) {
        if (number >= step.branch) await node.reorganize(step.branch);
      } else if ("fail" in step)
        fault = { statement: /INSERT INTO blocks|^COMMIT/, isExecuted: true };
      else await restart({ changesEnabled: true, ...step });
    },
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
