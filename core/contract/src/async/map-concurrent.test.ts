import { describe, expect, it } from "vitest";
import { mapConcurrent } from "./map-concurrent.js";

const LIMITS = { concurrency: 3, maxWeight: 10, weightOf: (value: number) => value };

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe("mapConcurrent", () => {
  it("yields results in item order, regardless of completion order", async () => {
    const waits = [3, 1, 2];
    const work = async (item: number) => {
      for (let turn = 0; turn < (waits[item] ?? 0); turn++) await Promise.resolve();
      return item;
    };

    expect(await collect(mapConcurrent([0, 1, 2], work, LIMITS))).toEqual([0, 1, 2]);
  });

  it("never exceeds the concurrency limit", async () => {
    let running = 0;
    let most = 0;
    const work = async (item: number) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return item;
    };

    await collect(mapConcurrent([0, 0, 0, 0, 0, 0, 0], work, LIMITS));

    expect(most).toBe(3);
  });

  it("starts no work while results above the weight limit are pending", async () => {
    const begun: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      return item;
    };
    const results = mapConcurrent([11, 12, 13, 14, 15, 16, 17, 18], work, LIMITS);

    await results.next();
    await new Promise((resolve) => setImmediate(resolve));
    await results.next();
    await new Promise((resolve) => setImmediate(resolve));

    expect(begun.length).toBeLessThan(5);
    await results.return(undefined);
  });

  it("throws an item's error in its place and stops reading the source", async () => {
    let taken = 0;
    function* source() {
      for (;;) yield taken++;
    }
    const work = async (item: number) => {
      if (item === 2) throw new Error("item 2");
      return item;
    };
    const seen: number[] = [];

    await expect(async () => {
      for await (const value of mapConcurrent(source(), work, LIMITS)) seen.push(value);
    }).rejects.toThrow("item 2");
    expect(seen).toEqual([0, 1]);
    expect(taken).toBeLessThan(8);
  });

  it("closes the source when the consumer returns early", async () => {
    let isClosed = false;
    function* source() {
      try {
        for (let item = 0; ; item++) yield item;
      } finally {
        isClosed = true;
      }
    }

    for await (const _ of mapConcurrent(source(), async (item) => item, LIMITS)) break;

    expect(isClosed).toBe(true);
  });
});
