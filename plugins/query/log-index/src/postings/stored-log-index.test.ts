import { setImmediate } from "node:timers/promises";
import {
  type BlockReader,
  type CommitEvent,
  definePlugin,
  type Hash,
  type PluginTable,
} from "@plinth/core";
import { BlockPruned, type LogCriteria } from "@plinth/core/chain";
import { LogMatcher, searchRange } from "@plinth/kit-rpc";
import { createTestNode, DEV_GENESIS, type TestNode } from "@plinth/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { StoredLogIndex } from "./stored-log-index.js";

const RUNS = Number(process.env.PLINTH_LOG_SCHEDULES ?? 15);
/** One contract for each number of topics, which it takes from its input. */
const CONTRACTS = [0, 1, 2, 3, 4].map(
  (count) => `0x${count.toString(16).padStart(40, "c")}` as const,
);
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    ...Object.fromEntries(CONTRACTS.map((address, count) => [address, { code: logCode(count) }])),
  },
};
const VALUES = 4;
const word = (value: number): Hash => `0x${value.toString(16).padStart(64, "0")}`;

/** A log: the number of topics, and the topics as digits of a number. */
type Logged = readonly number[];

const log = fc.array(fc.nat(VALUES - 1), { maxLength: 4 });
/** When blocks are being added that leave the chain. */
const race = fc.constantFrom("none", "before", "after");
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ mine: fc.array(log, { maxLength: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ back: fc.integer({ min: 1, max: 6 }), race }),
  },
  { weight: 2, arbitrary: fc.record({ forth: fc.nat() }) },
  { weight: 2, arbitrary: fc.constant({ fill: true } as const) },
  { weight: 1, arbitrary: fc.constant({ toggle: true } as const) },
  { weight: 1, arbitrary: fc.constant({ reopen: true } as const) },
);
const criteria = fc.record({
  addresses: fc.array(fc.constantFrom(...CONTRACTS), { maxLength: 3 }),
  topics: fc.array(fc.array(fc.nat(VALUES).map(word), { maxLength: 3 }), { maxLength: 4 }),
});
/** Searches for each logged value, on the whole chain. */
const EVERY_VALUE = [
  ...CONTRACTS.map((address) => ({ addresses: [address], topics: [] })),
  ...Array.from({ length: VALUES }, (_, value) => [
    { addresses: [], topics: [[word(value)]] },
    { addresses: [], topics: [[], [word(value)]] },
  ]).flat(),
].map((wanted) => ({ criteria: wanted, from: 0, to: 100 }));
const query = fc.record({ criteria, from: fc.nat(20), to: fc.nat(25) });

describe("the index of logs", () => {
  it(
    "finds the same as a full scan, regardless of how the chain changed",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 5, maxLength: 30 }),
          fc.array(query, { minLength: 20, maxLength: 20 }),
          async (steps, queries) => {
            await using test = await open();
            for (const each of steps) {
              await test.take(each);
              if (!("fill" in each)) await test.verifyCoverage();
            }
            for (const each of [...EVERY_VALUE, ...queries]) await test.compare(each);
            await test.complete();
            for (const each of [...EVERY_VALUE, ...queries]) await test.compare(each);
          },
        ),
        { numRuns: RUNS },
      );
    },
    RUNS * 5_000,
  );

  it("covers every later block, and reads no others", async () => {
    await using test = await open();
    await test.take({ mine: [[1]] });
    await test.complete();
    await test.take({ mine: [[2], [2, 3]] });
    await test.take({ mine: [] });

    const find = (topics: readonly (readonly Hash[])[], from = 0n) =>
      test.index.find({ addresses: [], topics }, { from, to: 9n });
    expect(await find([[word(2)]])).toEqual({ numbers: [2n], next: 4n });
    expect(await find([[word(2)], [word(3)]])).toEqual({ numbers: [2n], next: 4n });
    expect(await find([[word(1), word(2)]])).toEqual({ numbers: [1n, 2n], next: 4n });
    expect(await find([[], [word(2)]])).toEqual({ numbers: [], next: 4n });
    expect(await find([[word(2)]], 4n)).toEqual({ numbers: undefined, next: 10n });
    // These rule out nothing.
    expect(await find([[], []])).toEqual({ numbers: undefined, next: 10n });
  });

  it("reports gaps, and fills them", async () => {
    await using test = await open();
    await test.take({ toggle: true });
    await test.take({ mine: [[1]] });
    await test.take({ toggle: true });
    await test.take({ mine: [[1]] });
    const find = (from: bigint) =>
      test.index.find({ addresses: [], topics: [[word(1)]] }, { from, to: 9n });

    expect(await find(0n)).toEqual({ numbers: undefined, next: 2n });
    expect(await find(2n)).toEqual({ numbers: [2n], next: 3n });
    expect(test.index.isComplete).toBe(false);
    await test.complete();
    expect(await find(0n)).toEqual({ numbers: [1n, 2n], next: 3n });
    expect(test.index.blockCount).toBe(3n);
  });

  it("removes blocks that leave the chain, in the same batch", async () => {
    await using test = await open();
    await test.take({ mine: [[1]] });
    await test.take({ mine: [[1]] });
    await test.complete();
    const before = await test.keys();

    await test.take({ mine: [[2, 3]] });
    await test.take({ back: 1 });

    expect(await test.keys()).toEqual(before);
    expect(test.index.blockCount).toBe(3n);
  });

  it("removes the entries of blocks whose receipts are removed", async () => {
    await using test = await open();
    await test.take({ mine: [[1]] });
    const pruned = await test.keys();
    await test.take({ mine: [[2]] });
    const blocks = [1n, 2n].flatMap((number) => test.blocks.findBlock(number) ?? []);
    const removed: string[] = [];

    test.index.commit({
      ...{ receipts: [], results: [], placement: "head", removed: [] },
      added: blocks.slice(1),
      pruned: blocks.slice(0, 1),
      batch: {
        put() {},
        delete: (_, key) => void removed.push(Buffer.from(key).toString("hex")),
        onCommitted() {},
      },
    });

    expect(removed.sort()).toEqual(pruned.filter((key) => removed.includes(key)).sort());
    expect(removed).toHaveLength(2);
  });

  it("does not keep the chain from removing a block whose receipts are missing", async () => {
    await using test = await open();
    await test.take({ mine: [[1]] });
    await test.take({ mine: [[2]] });
    const [pruned, added] = [1n, 2n].map((number) => test.blocks.findBlock(number));
    if (pruned === undefined || added === undefined) throw new Error("the chain has no blocks");
    const { hash } = pruned.header;
    const chain = {
      head: () => test.blocks.head(),
      firstRetained: () => 0n,
      findBloom: (number: bigint) => test.blocks.findBloom(number),
      findHeader: (id: Hash | bigint) => test.blocks.findHeader(id),
      findReceipts: (id: Hash) => (id === hash ? undefined : test.blocks.findReceipts(id)),
    };
    const index = new StoredLogIndex(test.table, chain);
    const deleted = vi.fn();

    const postings = index.commit({
      ...{ receipts: [], results: [], placement: "head", removed: [] },
      ...{ added: [added], pruned: [pruned] },
      batch: { put() {}, delete: deleted, onCommitted() {} },
    });

    expect(postings).toBeGreaterThan(0);
    expect(deleted).not.toHaveBeenCalled();
  });

  it("is complete without blocks whose receipts were removed", async () => {
    await using test = await open();
    await test.take({ toggle: true });
    await test.take({ mine: [[1]] });
    const { blocks } = test;
    const index = new StoredLogIndex(test.table, {
      head: () => blocks.head(),
      firstRetained: () => 0n,
      findBloom: (number) => blocks.findBloom(number),
      findHeader: (id) => blocks.findHeader(id),
      findReceipts() {
        throw new BlockPruned("the receipts are no longer kept");
      },
    });

    while ((await index.fill()) !== undefined);

    expect(index.isComplete).toBe(true);
  });

  it("adds blocks whose receipts were added later", async () => {
    await using test = await open();
    await test.take({ toggle: true });
    await test.take({ mine: [[1]] });
    await test.take({ mine: [[2]] });
    const { blocks } = test;
    let first = 2n;
    const index = new StoredLogIndex(test.table, {
      head: () => blocks.head(),
      firstRetained: () => first,
      findBloom: (number) => blocks.findBloom(number),
      findHeader: (id) => blocks.findHeader(id),
      findReceipts: (hash) => blocks.findReceipts(hash),
    });
    while ((await index.fill()) !== undefined);
    expect([index.isComplete, index.blockCount]).toEqual([true, 1n]);

    first = 0n;
    while ((await index.fill()) !== undefined);

    expect([index.isComplete, index.blockCount]).toEqual([true, 3n]);
  });

  it("adds every block of a branch that becomes canonical again", async () => {
    await using test = await open();
    await test.complete();
    for (const topic of [1, 2, 3]) await test.take({ mine: [[topic]] });
    await test.take({ back: 3 });
    await test.take({ forth: 2 });

    expect(test.blocks.head().number).toBe(3n);
    expect(test.index.isComplete).toBe(true);
    for (const each of EVERY_VALUE) await test.compare(each);
  });

  it("reads few postings of a frequent value if another one is rare", async () => {
    await using test = await open();
    await test.complete();
    for (let number = 1; number <= 120; number++) {
      await test.take({ mine: [[1], ...(number % 50 === 0 ? [[2]] : [])] });
    }
    const reads = vi.spyOn(test.table, "iterate");
    const [address = "0x"] = CONTRACTS.slice(1);

    const { numbers } = await test.index.find(
      { addresses: [address], topics: [[word(2)]] },
      { from: 0n, to: 120n },
    );

    expect(numbers).toEqual([50n, 100n]);
    const walked = reads.mock.calls.map(([range]) => range?.limit ?? 0);
    expect(walked.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(48);
  });

  it("is not used for more alternatives than it can search quickly", async () => {
    await using test = await open();
    await test.take({ mine: [[1, 2]] });
    await test.complete();
    const many = Array.from({ length: 200 }, (_, value) => word(value));
    const find = (topics: readonly (readonly Hash[])[]) =>
      test.index.find({ addresses: [], topics }, { from: 0n, to: 1n });

    expect(await find([many])).toEqual({ numbers: undefined, next: 2n });
    expect(await find([many, [word(2)]])).toEqual({ numbers: [1n], next: 2n });
    expect(await find([many, [word(3)]])).toEqual({ numbers: [], next: 2n });
  });
});

type Step =
  | { readonly mine: readonly Logged[] }
  | { readonly back: number; readonly race?: string }
  | { readonly forth: number }
  | { readonly fill: true }
  | { readonly toggle: true }
  | { readonly reopen: true };

/** A node with an index that a test fills, closes and opens itself. */
async function open() {
  let table: PluginTable | undefined;
  let index: StoredLogIndex | undefined;
  let running = "none";
  const filling: Promise<unknown>[] = [];
  const plugin = definePlugin({
    name: "log-index",
    setup({ storage, hooks }) {
      table = storage.table("postings");
      hooks.chain.commit.tap((event: CommitEvent) => {
        if (running === "before") filling.push(Promise.resolve(index?.fill()));
        index?.commit(event);
        if (running === "after") filling.push(Promise.resolve(index?.fill()));
      });
    },
  });
  const node = await createTestNode({
    plugins: [plugin],
    genesis: GENESIS,
    options: { devPeriodSeconds: 3600 },
  });
  const { blocks } = node.node;
  if (blocks === undefined || table === undefined) throw new Error("the chain has no blocks");
  const opened = { table, blocks };
  const start = () => {
    // Few postings at a time, so that there are gaps.
    index = new StoredLogIndex(opened.table, blocks, 1);
    const withdraw = blocks.offerLogIndex(index);
    return () => {
      withdraw();
      index = undefined;
    };
  };
  let close: (() => void) | undefined = start();
  const heads: Hash[] = [];
  return {
    ...opened,
    get index() {
      if (index === undefined) throw new Error("the index is closed");
      return index;
    },
    /** Performs one action; filling continues meanwhile. */
    async take(given: Step): Promise<void> {
      if ("mine" in given) await mine(node, given.mine);
      else if ("back" in given) {
        const { number } = blocks.head();
        const to = number - BigInt(given.back);
        running = given.race ?? "none";
        await blocks.setHead(blocks.findHeader(to < 0n ? 0n : to)?.hash ?? "0x");
        running = "none";
      } else if ("forth" in given) {
        const head = heads[given.forth % heads.length];
        if (head !== undefined) await blocks.setHead(head);
      } else if ("fill" in given) {
        filling.push(Promise.resolve(index?.fill()));
        await setImmediate();
      } else {
        await Promise.all(filling);
        const isOpen = close !== undefined;
        close?.();
        close = isOpen && "toggle" in given ? undefined : start();
      }
      heads.push(blocks.head().hash);
    },
    /** It never covers blocks that are not on the chain. */
    async verifyCoverage(): Promise<void> {
      await Promise.all(filling);
      if (index === undefined) return;
      expect(index.blockCount).toBeLessThanOrEqual(blocks.head().number + 1n);
    },
    async complete(): Promise<void> {
      await Promise.all(filling);
      close ??= start();
      while ((await this.index.fill()) !== undefined);
      expect(this.index.isComplete).toBe(true);
    },
    async compare({
      criteria: wanted,
      from,
      to,
    }: {
      criteria: LogCriteria;
      from: number;
      to: number;
    }) {
      const range = { from: BigInt(from), to: BigInt(to) };
      expect(await search(blocks, wanted, range)).toEqual(searchPlainly(blocks, wanted, range));
    },
    async keys() {
      const keys: string[] = [];
      for await (const [key] of opened.table.iterate()) keys.push(Buffer.from(key).toString("hex"));
      return keys;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(filling);
      await node.stop();
    },
  };
}

async function mine(node: TestNode, logs: readonly Logged[]): Promise<void> {
  await node.mine(
    logs.map((topics) => ({
      to: CONTRACTS[topics.length] ?? "0x",
      data: topics.map((topic) => word(topic).slice(2)).join(""),
      gasLimit: 100_000n,
    })),
  );
}

/** Emits logs with this many topics, taken from its input. */
function logCode(count: number): string {
  const topics = Array.from({ length: count }, (_, index) => (count - 1 - index) * 32);
  const pushes = topics.map((at) => `60${at.toString(16).padStart(2, "0")}35`);
  return `0x${pushes.join("")}60006000${(0xa0 + count).toString(16)}`;
}

async function search(
  blocks: BlockReader,
  wanted: LogCriteria,
  range: { readonly from: bigint; readonly to: bigint },
): Promise<readonly string[]> {
  const found: string[] = [];
  const pieces = searchRange(blocks, new LogMatcher(wanted), range);
  for (let piece = await pieces.next(); ; piece = await pieces.next()) {
    found.push(...piece.value.map(({ header, logIndex }) => `${header.hash} ${logIndex}`));
    if (piece.done) return found;
  }
}

/** Same without blooms, index or matcher. */
function searchPlainly(
  blocks: BlockReader,
  { addresses, topics }: LogCriteria,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): readonly string[] {
  const found: string[] = [];
  for (let number = from; number <= to && number <= blocks.head().number; number++) {
    const { hash = "0x" } = blocks.findHeader(number) ?? {};
    const logs = (blocks.findReceipts(hash) ?? []).flatMap((receipt) => receipt.logs);
    for (const [index, logged] of logs.entries()) {
      const isWanted =
        (addresses.length === 0 || addresses.includes(logged.address)) &&
        topics.every((any, position) => {
          const topic = logged.topics[position];
          return topic !== undefined && (any.length === 0 || any.includes(topic));
        });
      if (isWanted) found.push(`${hash} ${index}`);
    }
  }
  return found;
}
