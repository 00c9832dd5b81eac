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
import { findBytes, type Hex, type LogCriteria } from "../index.js";
import { LogMatcher } from "./log-matcher.js";
import { searchRange } from "./logs.js";

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
  if (blocks === undefined) throw new Error("the chain has no blocks");
  for (const [nonce, pair] of pairs.entries()) {
    await pool?.submit(findBytes(await signLog(nonce, pair)) ?? new Uint8Array());
    while (blocks.head().number <= nonce) await new Promise((resolve) => setImmediate(resolve));
  }
  const search = (criteria: Partial<LogCriteria>, range = { from: 0n, to: 100n }) => {
    const matcher = new LogMatcher({ addresses: [], topics: [], ...criteria });
    const pieces = searchRange(blocks, matcher, range);
    const found = [];
    let piece = pieces.next();
    for (; !piece.done; piece = pieces.next()) found.push(...piece.value);
    return [...found, ...piece.value];
  };
  return { blocks, search, [Symbol.asyncDispose]: () => node.stop() };
}

describe("the search for logs", () => {
  it("finds them in the order of the chain, with their places", async () => {
    await using chain = await startChain([X, Y], [X, Z]);

    const found = chain.search({ topics: [[X]] });

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

    expect(chain.search(criteria)).toHaveLength(count);
  });

  it("keeps to the range and ends at the head", async () => {
    await using chain = await startChain([X, Y], [X, Z]);

    expect(chain.search({}, { from: 2n, to: 2n })).toHaveLength(1);
    expect(chain.search({}, { from: 2n, to: 1n })).toEqual([]);
    expect(chain.search({}, { from: 50n, to: 90n })).toEqual([]);
  });

  it("reads no receipts of blocks whose bloom rules them out", async () => {
    await using chain = await startChain([X, Y], [X, Z]);
    const reads = vi.spyOn(chain.blocks, "findReceipts");

    chain.search({ topics: [[], [Z]] });

    expect(reads.mock.calls).toEqual([[chain.blocks.head().hash]]);
  });

  it("gives way when it takes long", async () => {
    await using chain = await startChain([X, Y], [X, Z]);
    vi.spyOn(performance, "now").mockImplementation(countUp(100));

    const matcher = new LogMatcher({ addresses: [], topics: [[], [Z]] });
    const pieces = searchRange(chain.blocks, matcher, { from: 0n, to: 2n });
    const counts = [...pieces].map((piece) => piece.length);
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
