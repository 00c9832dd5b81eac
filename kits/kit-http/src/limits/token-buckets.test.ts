import { describe, expect, it } from "vitest";
import { TokenBuckets } from "./token-buckets.js";

describe("a bucket of tokens", () => {
  it("is initially full, and refills over time", () => {
    const buckets = new TokenBuckets({ perSecond: 10, burst: 20 });

    expect([
      buckets.take("a", 20, 0),
      buckets.take("a", 1, 0),
      buckets.take("a", 1, 50),
      buckets.take("a", 1, 100),
      buckets.take("a", 20, 10_000),
      buckets.take("a", 5, 10_100),
    ]).toEqual([0, 100, 50, 0, 0, 400]);
  });

  it("is separate for each client", () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 });
    buckets.take("a", 1, 0);

    expect([buckets.take("a", 1, 0), buckets.take("b", 1, 0)]).toEqual([1000, 0]);
  });

  it("admits a cost above its capacity if it is full, and then less for longer", () => {
    const buckets = new TokenBuckets({ perSecond: 10, burst: 10 });

    expect([buckets.take("a", 20, 0), buckets.take("a", 1, 0)]).toEqual([0, 1100]);
  });

  it("does not lose tokens when the clock goes back", () => {
    const buckets = new TokenBuckets({ perSecond: 10, burst: 10 });
    buckets.take("a", 5, 10_000);

    expect(buckets.take("a", 5, 0)).toBe(0);
  });

  it("is evicted when there are too many, the oldest first", () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 });

    for (let client = 0; client < 25_000; client++) buckets.take(`${client}`, 1, 0);

    expect(buckets.size).toBe(10_000);
    expect(buckets.take("24999", 1, 0)).toBe(1000);
  });
});
