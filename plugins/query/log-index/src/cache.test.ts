import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BlockReader, definePlugin } from "@plinth/core";
import { LogMatcher, searchRange } from "@plinth/kit-rpc";
import {
  createTestNode,
  LOG_GENESIS,
  LOGGER,
  type LogEntry,
  recordLogs,
  type TestNode,
  type TestNodeSettings,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { BloomCache } from "./bloom-cache.js";
import { type CacheSettings, registerBloomCache } from "./register.js";

const SEGMENT = 4;
const MANUAL = { isAutomatic: false, segmentBlocks: SEGMENT };
const AUTOMATIC = { isAutomatic: true, segmentBlocks: SEGMENT, delayMs: 0 };
const word = (value: number) => value.toString(16).padStart(64, "0");

describe("cache files", () => {
  it("are written with new blocks, in Besu's format", async () => {
    await using test = await open(AUTOMATIC);
    await test.mineLogs(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    await test.caughtUp();

    expect(test.files()).toEqual({
      "CACHE_METADATA.json": '{"version":3}',
      "logBloom-0.cache": test.bloomsOf(0, 3),
      "logBloom-1.cache": test.bloomsOf(4, 7),
      "logBloom-2.cache": test.bloomsOf(8, 10),
    });
  });

  it("are the same when generated on request, except for the last blocks", async () => {
    await using test = await open(MANUAL);
    await test.mineLogs(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

    expect(await test.generate(["0x0"])).toEqual({
      startBlock: "0x0",
      endBlock: "latest",
      currentBlock: "0x0",
      indexing: true,
      caching: true,
      requestAccepted: true,
    });
    expect(await test.ended()).toEqual({
      startBlock: "0x0",
      endBlock: "latest",
      currentBlock: "0x7",
      indexing: false,
      caching: false,
      requestAccepted: false,
    });
    expect(test.files()).toEqual({
      "CACHE_METADATA.json": '{"version":3}',
      "logBloom-0.cache": test.bloomsOf(0, 3),
      "logBloom-1.cache": test.bloomsOf(4, 7),
    });
  });

  it("follow a reorganization", async () => {
    await using test = await open(AUTOMATIC);
    await test.mineLogs(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    await test.caughtUp();

    await test.blocks.setHead(test.blocks.findHeader(5n)?.hash ?? "0x");
    expect(test.files()).not.toHaveProperty("logBloom-2.cache");
    expect(test.files()["logBloom-1.cache"]).toBe(test.bloomsOf(4, 5));
    await test.mineLogs(21, 22, 23, 24, 25);
    await test.caughtUp();

    expect(test.files()).toMatchObject({
      "logBloom-1.cache": test.bloomsOf(4, 7),
      "logBloom-2.cache": test.bloomsOf(8, 10),
    });
    for (let topic = 0; topic < 30; topic++) {
      expect(await test.search(topic)).toEqual(await test.searchPlainly(topic));
    }
  });

  it("are extended again after a rewind that failed", async () => {
    await using test = await open(AUTOMATIC, { plugins: [refusal] });
    await test.mineLogs(1, 2, 3, 4, 5, 6);
    await test.caughtUp();

    await expect(test.blocks.setHead(test.blocks.findHeader(2n)?.hash ?? "0x")).rejects.toThrow(
      "no rewind today",
    );
    await test.mineLogs(7);
    await test.caughtUp();

    expect(test.files()).toMatchObject({
      "logBloom-0.cache": test.bloomsOf(0, 3),
      "logBloom-1.cache": test.bloomsOf(4, 7),
    });
  });

  it.each([
    ["cut", 5n],
    ["removed", 3n],
  ])("that cannot be %s do not prevent block imports, and are rebuilt", async (_, head) => {
    const logs = recordLogs();
    const fault = createFault();
    await using test = await open(AUTOMATIC, { plugins: [fault.plugin], logs });
    await test.mineLogs(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    await test.caughtUp();
    fault.block(join(test.folder, "caches", "logBloom-1.cache"));

    await test.blocks.setHead(test.blocks.findHeader(head)?.hash ?? "0x");
    // On a busy machine the core may warn of slow taps.
    const isOurs = ({ level, logger }: LogEntry) => level === "warn" && logger === "log-index";
    const warnings = logs.entries.filter(isOurs);
    await test.mineLogs(21, 22, 23, 24, 25, 26, 27);
    await test.caughtUp();

    expect(warnings.map(({ logger, message }) => [logger, message])).toEqual([
      ["log-index", expect.stringContaining("cache file that cannot be truncated: ")],
    ]);
    expect(test.blocks.head().number).toBe(head + 7n);
    expect(test.files()["logBloom-1.cache"]).toBe(test.bloomsOf(4, 7));
    for (let topic = 0; topic < 30; topic++) {
      expect(await test.search(topic)).toEqual(await test.searchPlainly(topic));
    }
  });

  it("of another chain, of another version, of a longer chain, or incomplete, are removed", async () => {
    await using test = await open(MANUAL);
    await test.mineLogs(1, 2, 3, 4);
    const folder = join(test.folder, "other");
    const seal = test.blocks.findHeader(BigInt(SEGMENT - 1))?.hash;
    const names = (version: object, sealed: object = { 0: seal }) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "PLINTH_SEALS.json"), JSON.stringify(sealed));
      writeFileSync(join(folder, "CACHE_METADATA.json"), JSON.stringify(version));
      writeFileSync(join(folder, "logBloom-0.cache"), Buffer.from(test.bloomsOf(0, 3), "hex"));
      writeFileSync(join(folder, "logBloom-1.cache"), Buffer.alloc(SEGMENT * 256));
      writeFileSync(join(folder, "logBloom-2.cache"), Buffer.alloc(256));
      writeFileSync(join(folder, "logBloom-current.cache"), "x");
      const cache = new BloomCache(folder, test.blocks, SEGMENT);
      return [
        cache.isWhole(0),
        ...readdirSync(folder).filter((name) => !name.startsWith("PLINTH")),
      ];
    };

    expect(names({ version: 3 })).toEqual([true, "CACHE_METADATA.json", "logBloom-0.cache"]);
    expect(names({ version: 2 })).toEqual([false, "CACHE_METADATA.json"]);
    expect(names({})).toEqual([false, "CACHE_METADATA.json"]);
    const other = `0x${"11".repeat(32)}`;
    expect(names({ version: 3 }, { 0: other })).toEqual([false, "CACHE_METADATA.json"]);
    expect(names({ version: 3 }, {})).toEqual([false, "CACHE_METADATA.json"]);
  });

  it("may be removed by hand while the node runs", async () => {
    await using test = await open(AUTOMATIC);
    await test.mineLogs(1, 2, 3, 4, 5);
    await test.caughtUp();

    rmSync(join(test.folder, "caches"), { recursive: true });

    expect(await test.search(2)).toEqual([2n]);
    await test.mineLogs(6);
    while (test.blocks.blooms?.read(6n) === undefined) await turn();
    expect(await test.search(6)).toEqual([6n]);
  });
});

describe("a search", () => {
  it("finds the same with the cache as without", async () => {
    await using test = await open({ ...AUTOMATIC, segmentBlocks: 16 });
    const random = generator(7);
    await test.mineLogs(...Array.from({ length: 60 }, () => random(12)));
    await test.caughtUp();
    let different = 0;

    for (let query = 0; query < 2000; query++) {
      const topic = random(14);
      const range = { from: BigInt(random(64)), to: BigInt(random(64)) };
      const found = await test.search(topic, range);
      const plain = await test.searchPlainly(topic, range);
      if (found.join() !== plain.join()) different += 1;
    }

    expect(test.blocks.blooms?.read(0n)).toHaveLength(16 * 256);
    expect(different).toBe(0);
  });

  it("does not use the cache once the plugin is disabled", async () => {
    await using test = await open(AUTOMATIC);
    await test.mineLogs(1, 2, 3, 4);

    await test.node.disable("log-index");

    expect(test.blocks.blooms).toBeUndefined();
    expect(await test.search(2)).toEqual([2n]);
  });
});

describe("admin_generateLogBloomCache", () => {
  it.each([
    [[], false],
    [["latest"], false],
    [["pending", "0x5"], false],
    [[null, "0x5"], false],
    [["0x5", "0x5"], false],
    [["0x0", "earliest"], false],
    [["0x2", "0x5"], true],
    [["earliest"], true],
    [["0x0", "latest"], true],
    [[1, 2], true],
  ])("with %j is accepted: %s", async (params, isTaken) => {
    await using test = await open(MANUAL);
    await test.mineLogs(1, 2, 3, 4);

    expect(await test.generate(params)).toMatchObject({ requestAccepted: isTaken });
    await test.ended();
    expect(Object.hasOwn(test.files(), "logBloom-0.cache")).toBe(isTaken);
  });

  it("runs once at a time", async () => {
    await using test = await open(MANUAL);
    await test.mineLogs(1, 2, 3, 4);

    await test.generate(["0x0"]);
    expect(await test.generate(["0x0"])).toMatchObject({ requestAccepted: false });
    expect(await test.node.rpc("admin_logsRepairCache")).toEqual({ Status: "Already running" });
  });

  it("rejects an invalid block", async () => {
    await using test = await open(MANUAL);

    await expect(test.generate(["x"])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid block, unable to parse RLP"),
    });
  });
});

describe("admin_logsRemoveCache", () => {
  it.each([
    [[], []],
    [["", ""], []],
    [["0x5"], [0, 2]],
    [
      ["5", ""],
      [0, 2],
    ],
    [["", "0x5"], [2]],
    [["0x4", "latest"], [0]],
    [
      ["earliest", "0x3"],
      [1, 2],
    ],
  ])("with %j leaves the files %j", async (params, left) => {
    await using test = await open(MANUAL);
    await test.mineLogs(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    await test.generate(["0x0"]);
    await test.ended();

    const answer = await test.node.rpc("admin_logsRemoveCache", params);

    expect(answer).toEqual({ Status: "Cache Removed" });
    expect(Object.keys(test.files())).toEqual([
      "CACHE_METADATA.json",
      ...left.map((segment) => `logBloom-${segment}.cache`),
    ]);
    expect(await test.search(5)).toEqual([5n]);
  });

  it.each([[["0x99"]], [["0x1", "0x0"]], [["x"]], [["", {}]], [[-1]]])(
    "refuses %j",
    async (params) => {
      await using test = await open(MANUAL);
      await test.mineLogs(1);

      await expect(test.node.rpc("admin_logsRemoveCache", params)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining("Invalid block number params"),
      });
    },
  );
});

describe("admin_logsRemoveCache during a generation", () => {
  it("is rejected, and works afterwards", async () => {
    await using test = await open(MANUAL);
    await test.mineLogs(1, 2, 3, 4);
    await test.generate(["0x0"]);

    await expect(test.node.rpc("admin_logsRemoveCache", [])).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("The log bloom cache is being generated"),
    });
    await test.ended();
    expect(await test.node.rpc("admin_logsRemoveCache", [])).toEqual({ Status: "Cache Removed" });
    expect(Object.keys(test.files())).toEqual(["CACHE_METADATA.json"]);
  });

  it("removes nothing in Besu mode", async () => {
    await using test = await open(MANUAL, { options: { rpcCompatibility: "besu" } });
    await test.mineLogs(1, 2, 3, 4);
    await test.generate(["0x0"]);

    expect(await test.node.rpc("admin_logsRemoveCache", [])).toEqual({ Status: "Cache Removed" });
    await test.ended();
    expect(Object.keys(test.files())).toContain("logBloom-0.cache");
  });
});

describe("admin_logsRepairCache", () => {
  it.each([[[]], [["5"]], [[5]], [["0x5"]]])("with %j rewrites files", async (params) => {
    await using test = await open(MANUAL);
    await test.mineLogs(1, 2, 3, 4, 5, 6, 7);
    await test.generate(["0x0"]);
    await test.ended();
    const path = join(test.folder, "caches", "logBloom-1.cache");
    writeFileSync(path, Buffer.alloc(SEGMENT * 256));

    const answer = await test.node.rpc("admin_logsRepairCache", params);
    await test.ended();

    expect(answer).toEqual({ Status: "Started" });
    expect(test.files()["logBloom-1.cache"]).toBe(test.bloomsOf(4, 7));
  });

  it.each([[["0x99"]], [["x"]]])("rejects %j", async (params) => {
    await using test = await open(MANUAL);

    await expect(test.node.rpc("admin_logsRepairCache", params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid block number params"),
    });
  });
});

/** Replaces a file until the next batch is written. */
function createFault() {
  let undo: (() => void) | undefined;
  const plugin = definePlugin({
    name: "fault",
    setup: ({ hooks }) =>
      hooks.chain.commit.tap(({ batch }) =>
        batch.onCommitted(() => {
          undo?.();
          undo = undefined;
        }),
      ),
  });
  return {
    plugin,
    block(path: string) {
      renameSync(path, `${path}.aside`);
      mkdirSync(join(path, "in the way"), { recursive: true });
      undo = () => {
        rmSync(path, { recursive: true });
        renameSync(`${path}.aside`, path);
      };
    },
  };
}

/** A plugin that rejects every commit that removes blocks. */
const refusal = definePlugin({
  name: "refusal",
  setup: ({ hooks }) =>
    hooks.chain.commit.tap(
      ({ removed }) => {
        if (removed.length > 0) throw new Error("no rewind today");
      },
      { stage: "late" },
    ),
});

/** A node with a chain of logs and its cache in a separate folder. */
async function open(
  settings: CacheSettings,
  { plugins = [], logs, options }: Pick<TestNodeSettings, "plugins" | "logs" | "options"> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-test-"));
  const node = await createTestNode({
    plugins: [logIndex(settings), ...plugins],
    genesis: LOG_GENESIS,
    options: { dataPath: folder, devPeriodSeconds: 3600, ...options },
    ...(logs && { logs }),
  });
  const { blocks } = node.node;
  const generate = (params: readonly unknown[] = []) =>
    node.rpc("admin_generateLogBloomCache", params) as Promise<{ indexing: boolean }>;
  return {
    node,
    blocks,
    folder,
    generate,
    mineLogs: (...topics: readonly number[]) => mineLogs(node, topics),
    /** Waits until the cache covers every block. */
    async caughtUp() {
      for (let number = 0n; number <= blocks.head().number; number++)
        while (blocks.blooms?.read(number) === undefined) await turn();
    },
    async ended() {
      let status = await generate();
      for (; status.indexing; status = await generate()) await turn();
      return status;
    },
    files: () => readFolder(join(folder, "caches")),
    bloomsOf: (from: number, to: number) => bloomsOf(blocks, from, to),
    search: (topic: number, range = { from: 0n, to: 100n }) => search(blocks, topic, range),
    /** Same according to the headers. */
    async searchPlainly(topic: number, range = { from: 0n, to: 100n }) {
      const source = blocks.blooms;
      const withdraw = blocks.offerBlooms({ read: () => undefined, version: 0 });
      const found = await search(blocks, topic, range);
      withdraw();
      if (source !== undefined) blocks.offerBlooms(source);
      return found;
    },
    async [Symbol.asyncDispose]() {
      await node.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function logIndex(settings: CacheSettings) {
  return definePlugin({
    name: "log-index",
    setup: (node) => registerBloomCache(node, settings),
  });
}

async function mineLogs(node: TestNode, topics: readonly number[]): Promise<void> {
  await node.mine(
    ...topics.map((topic) => [{ to: LOGGER, data: word(topic) + word(0), gasLimit: 100_000n }]),
  );
}

/** Numbers of the blocks with a log of that topic. */
async function search(blocks: BlockReader, topic: number, range: { from: bigint; to: bigint }) {
  const matcher = new LogMatcher({ addresses: [], topics: [[`0x${word(topic)}`]] });
  const pieces = searchRange(blocks, matcher, range);
  const numbers: bigint[] = [];
  for (;;) {
    const { value, done } = await pieces.next();
    numbers.push(...value.map(({ header }) => header.number));
    if (done) return numbers;
  }
}

function bloomsOf(blocks: BlockReader, from: number, to: number): string {
  const blooms: Uint8Array[] = [];
  for (let number = from; number <= to; number++) {
    blooms.push(blocks.findHeader(BigInt(number))?.logsBloom ?? new Uint8Array());
  }
  return Buffer.concat(blooms).toString("hex");
}

function readFolder(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  // The file of seals has its own tests.
  const names = readdirSync(folder).filter((name) => !name.startsWith("PLINTH"));
  return Object.fromEntries(
    names.sort().map((name) => {
      const encoding = name.endsWith(".json") ? "utf8" : "hex";
      return [name, readFileSync(join(folder, name), encoding)];
    }),
  );
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Deterministic pseudorandom numbers below a bound. */
function generator(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
