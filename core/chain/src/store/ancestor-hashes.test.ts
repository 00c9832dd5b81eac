import type { Hash } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { AncestorHashes } from "./ancestor-hashes.js";

const ZERO: Hash = `0x${"00".repeat(32)}`;

/** A chain whose block n has the hash `0xn`, counting the parents read. */
function aChain() {
  const reads = { count: 0 };
  const ancestors = new AncestorHashes((hash) => {
    reads.count += 1;
    const number = Number(hash);
    return number === 0 ? undefined : `0x${(number - 1).toString(16)}`;
  });
  return { ancestors, reads };
}

describe("the ancestors of a block", () => {
  it.each([
    ["the parent", 999n, "0x3e7"],
    ["the oldest", 744n, "0x2e8"],
    ["one that is too old", 743n, ZERO],
    ["the block itself", 1000n, ZERO],
    ["a later block", 2000n, ZERO],
  ])("include %s or nothing", (_, wanted, hash) => {
    const { ancestors } = aChain();

    expect(ancestors.of({ number: 1000n, parentHash: "0x3e7" }).hashOf(wanted)).toBe(hash);
  });

  it("are zero before the first block", () => {
    const { ancestors } = aChain();
    const found = ancestors.of({ number: 3n, parentHash: "0x2" });

    expect(found.hashOf(0n)).toBe("0x0");
    expect(found.hashOf(-1n)).toBe(ZERO);
  });

  it("are read once, however often code reads them", () => {
    const { ancestors, reads } = aChain();
    const block = { number: 1000n, parentHash: "0x3e7" } as const;

    const found = ancestors.of(block);
    for (let round = 0; round < 100; round++) {
      for (let number = 744n; number < 1000n; number++) found.hashOf(number);
    }
    ancestors.of({ number: 1001n, parentHash: "0x3e8" }).hashOf(745n);

    expect(reads.count).toBe(256);
  });
});
