import { type Hex, hexToBytes } from "@plinth/core";
import type { LogCriteria } from "@plinth/core/chain";
import {
  ALICE,
  createInside,
  createTestNode,
  devChain,
  LOG_GENESIS,
  LOGGER,
  signLog,
} from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import { LogMatcher } from "./log-matcher.js";
import { searchRange } from "./search-logs.js";

const [X, Y, Z] = ["01", "02", "03"].map((byte): Hex => `0x${byte.repeat(32)}`) as [Hex, Hex, Hex];

/** A chain with one block for every pair of topics. */
async function startChain(...pairs: readonly (readonly [Hex, Hex])[]) {
  const inside = createInside();
  const node = await createTestNode({
    plugins: [inside.plugin, ...devChain],
    genesis: LOG_GENESIS,
  });
  const { chain, pool } = inside.runtime();
  const { blocks } = chain;
  for (const [nonce, pair] of pairs.entries()) {
    await pool.submit(hexToBytes(await signLog(nonce, pair)));
    while (blocks.head().number <= nonce) await new Promise((resolve) => setImmediate(resolve));
  }
  const search = async (criteria: Partial<LogCriteria>, range = { from: 0n, to: 100n }) => {
    const matcher = new LogMatcher({ addresses: [], topics: [], ...criteria });
    const pieces = searchRange(blocks, matcher, range);
    const found = [];
    let piece = await pieces.next();
    for (; !piece.done; piece = await pieces.next()) found.push(...piece.value);
    return [...found, ...piece.value];
  };
  return { blocks, search, [Symbol.asyncDispose]: () => node.stop() };
}

describe("the search for logs", () => {
  it("finds them in chain order, with their positions", async () => {
    await using chain = await startChain([X, Y], [X, Z]);

    const found = await chain.search({ topics: [[X]] });

    expect(found.map(({ log, header }) => [log.topics, header.number])).toEqual([
      [[X, Y], 1n],
      [[X, Z], 2n],
    ]);
    const block = chain.blocks.findBlock(found[0]?.header.hash ?? "0x");
    expect(block?.body.transactions[0]?.sender).toBe(ALICE.address);
    expect(found[0]).toMatchObject({
      transactionHash: block?.body.transactions[0]?.hash,
      transactionIndex: 0,
      logIndex: 0,
      isRemoved: false,
    });
  });

  it.each<[string, Partial<LogCriteria>, number]>([
    ["everything", {}, 2],
    ["an address", { addresses: [LOGGER] }, 2],
    ["an address that logged nothing", { addresses: [ALICE.address] }, 0],
    ["a second topic", { topics: [[], [Z]] }, 1],
    ["alternatives", { topics: [[X], [Y, Z]] }, 2],
    ["three topics", { topics: [[], [], []] }, 0],
  ])("finds %s", async (_, criteria, count) => {
    await using chain = await startChain([X, Y], [X, Z]);

    expect(await chain.search(criteria)).toHaveLength(count);
  });

  it("stays in the range and ends at the head", async () => {
    await using chain = await startChain([X, Y], [X, Z]);

    expect(await chain.search({}, { from: 2n, to: 2n })).toHaveLength(1);
    expect(await chain.search({}, { from: 2n, to: 1n })).toEqual([]);
    expect(await chain.search({}, { from: 50n, to: 90n })).toEqual([]);
  });

  it("reads no receipts of blocks whose bloom rules them out", async () => {
    await using chain = await startChain([X, Y], [X, Z]);
    const reads = vi.spyOn(chain.blocks, "findEncoded");

    await chain.search({ topics: [[], [Z]] });

    expect(reads.mock.calls).toEqual([[chain.blocks.head().hash]]);
  });

  it("reads only the candidates of the index, and every block outside it", async () => {
    await using chain = await startChain([X, Y], [X, Z], [X, Y]);
    const looks = vi.spyOn(chain.blocks, "findBloom");
    chain.blocks.offerLogIndex({
      version: 0,
      find: async (_, { from, to }) =>
        from < 2n ? { numbers: [1n], next: 2n } : { numbers: undefined, next: to + 1n },
    });

    const found = await chain.search({ topics: [[X]] });

    expect(found.map(({ header }) => header.number)).toEqual([1n, 2n, 3n]);
    expect(looks.mock.calls).toEqual([[2n], [3n], [4n]]);
  });

  it("searches the index again if its result may be outdated", async () => {
    await using chain = await startChain([X, Y], [X, Z], [X, Y]);
    const answers = [[1n, 3n], [], [2n, 3n]];
    const asked: bigint[] = [];
    let version = 0;
    chain.blocks.offerLogIndex({
      get version() {
        return version;
      },
      async find(_, { from, to }) {
        asked.push(from);
        // The second result is outdated when it is returned.
        if (asked.length === 2) version += 1;
        return { numbers: answers[asked.length - 1] ?? [], next: to + 1n };
      },
    });
    vi.spyOn(performance, "now").mockImplementation(countUp(100));
    const matcher = new LogMatcher({ addresses: [], topics: [[X]] });
    const found: bigint[] = [];
    for await (const piece of searchRange(chain.blocks, matcher, { from: 0n, to: 9n })) {
      found.push(...piece.map(({ header }) => header.number));
      if (asked.length === 1) version += 1;
    }
    vi.restoreAllMocks();

    expect(asked).toEqual([0n, 2n, 2n]);
    expect(found).toEqual([1n, 2n, 3n]);
  });

  it("yields when it takes long", async () => {
    await using chain = await startChain([X, Y], [X, Z]);
    vi.spyOn(performance, "now").mockImplementation(countUp(100));

    const matcher = new LogMatcher({ addresses: [], topics: [[], [Z]] });
    const pieces = searchRange(chain.blocks, matcher, { from: 0n, to: 2n });
    const counts: number[] = [];
    for await (const piece of pieces) counts.push(piece.length);
    vi.restoreAllMocks();

    expect(counts).toEqual([0, 0, 1]);
  });
});

function countUp(step: number): () => number {
  let now = 0;
  return () => {
    now += step;
    return now;
  };
}
