import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Coverage } from "./coverage.js";

const hashOf = (number: bigint) => `0x${number.toString(16).padStart(64, "0")}` as const;
const run = (first: number, length: number) => {
  const last = BigInt(first + length - 1);
  return { first: BigInt(first), last, hash: hashOf(last) };
};

describe("the coverage of an index", () => {
  it("agrees with a set of numbers, regardless of additions and truncations", () => {
    const add = fc.record({ first: fc.nat(30), length: fc.integer({ min: 1, max: 8 }) });
    const cut = fc.record({ last: fc.integer({ min: -1, max: 30 }) });
    fc.assert(
      fc.property(fc.array(fc.oneof(add, cut)), (steps) => {
        let coverage = new Coverage();
        let numbers = new Set<bigint>();
        for (const step of steps) {
          if ("last" in step) {
            const last = BigInt(step.last);
            coverage = coverage.upTo(last, hashOf(last < 0n ? 0n : last));
            numbers = new Set([...numbers].filter((number) => number <= last));
          } else {
            coverage = coverage.with(run(step.first, step.length));
            for (let at = 0; at < step.length; at++) numbers.add(BigInt(step.first + at));
          }
        }
        const read = Coverage.decode(coverage.encode());
        expect(read.runs).toEqual(coverage.runs);
        expect(read.count).toBe(BigInt(numbers.size));
        for (let number = 0n; number < 40n; number++) {
          expect(read.find(number) !== undefined).toBe(numbers.has(number));
        }
        for (const { last, hash } of read.runs) expect(hash).toBe(hashOf(last));
        for (const start of [0n, 7n]) {
          let missing = start;
          while (numbers.has(missing)) missing += 1n;
          expect(read.firstMissing(start)).toBe(missing);
        }
      }),
    );
  });

  it("finds the run after a block", () => {
    const coverage = new Coverage().with(run(5, 2)).with(run(10, 1));

    expect(coverage.findAfter(0n)).toEqual(run(5, 2));
    expect(coverage.findAfter(7n)).toEqual(run(10, 1));
    expect(coverage.findAfter(10n)).toBeUndefined();
  });
});
