import { describe, expect, it } from "vitest";
import type { Fork } from "../evm/fork.js";
import { blobBaseFee, maxBlobGas, nextExcessBlobGas } from "./blob-fee.js";
import { BlobSchedule } from "./blob-schedule.js";

const BLOB = 131_072n;
const rules = (fork: Fork) => new BlobSchedule().at(fork, 0n);

describe("blob fees", () => {
  it.each([
    ["london", 0n, 0n],
    ["cancun", 0n, 1n],
    ["cancun", 2_314_057n, 1n],
    ["cancun", 2_314_058n, 2n],
    ["cancun", 10n * 1024n * 1024n, 23n],
    ["prague", 2_314_058n, 1n],
  ] as const)("under %s with the excess %s are %s (EIP-4844, EIP-7691)", (fork, excess, fee) => {
    expect(blobBaseFee(excess, rules(fork))).toBe(fee);
  });

  it.each([
    ["shanghai", 9n, 0n],
    ["cancun", 3n, 0n],
    ["cancun", 6n, 3n],
    ["prague", 6n, 0n],
    ["prague", 9n, 3n],
  ] as const)("leave an excess: under %s after %s blobs %s", (fork, used, excess) => {
    expect(nextExcessBlobGas({ blobGasUsed: used * BLOB, excessBlobGas: 0n }, rules(fork))).toBe(
      excess * BLOB,
    );
  });

  it("do not fall below the execution gas cost of a blob (EIP-7918)", () => {
    const parent = { blobGasUsed: 9n * BLOB, excessBlobGas: 0n, baseFeePerGas: 17n };

    expect(nextExcessBlobGas(parent, rules("osaka"))).toBe(3n * BLOB);
    expect(nextExcessBlobGas({ ...parent, blobGasUsed: 6n * BLOB }, rules("osaka"))).toBe(
      2n * BLOB,
    );
    expect(nextExcessBlobGas({ ...parent, baseFeePerGas: 16n }, rules("osaka"))).toBe(3n * BLOB);
  });

  it("have a limit per block", () => {
    expect([
      maxBlobGas(rules("london")),
      maxBlobGas(rules("cancun")),
      maxBlobGas(rules("prague")),
    ]).toEqual([0n, 6n * BLOB, 9n * BLOB]);
  });
});
