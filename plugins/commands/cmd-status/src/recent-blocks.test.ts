import { describe, expect, it } from "vitest";
import { findPeriod } from "./recent-blocks.js";

/** Blocks at these times; those in the list have a transaction. */
function blocks(times: readonly number[], full: readonly number[] = []) {
  return times.map((time, index) => ({
    timestamp: BigInt(time),
    transactions: full.includes(index) ? ["0x"] : [],
  }));
}

describe("the period derived from the last blocks", () => {
  it.each([
    ["the longest gap between them", blocks([0, 100, 102, 104, 109], [1]), 5],
    ["at least a second", blocks([0, 100, 100, 100]), 1],
    [
      "unknown if blocks are produced for transactions only",
      blocks([0, 5, 6, 7], [1, 2, 3]),
      undefined,
    ],
    ["unknown after too few", blocks([0, 100, 102]), undefined],
    ["unknown at block 0", blocks([0]), undefined],
  ])("is %s", (_, recent, period) => {
    expect(findPeriod(recent)).toBe(period);
  });
});
