import { describe, expect, it } from "vitest";
import { baseFeeOn, nextBaseFee } from "./base-fee.js";
import { readForks } from "./forks.js";
import { INITIAL_BASE_FEE } from "./initial-base-fee.js";

describe("the base fee of the next block", () => {
  it.each([
    [
      "is unchanged if the block was half full",
      20_000_000n,
      10_000_000n,
      1_000_000_000n,
      1_000_000_000n,
    ],
    [
      "rises by an eighth after a full block",
      20_000_000n,
      20_000_000n,
      1_000_000_000n,
      1_125_000_000n,
    ],
    ["falls by an eighth after an empty block", 20_000_000n, 0n, 1_000_000_000n, 875_000_000n],
    ["rises by at least one wei", 20_000_000n, 10_000_001n, 7n, 8n],
    ["does not fall below the rounding error", 20_000_000n, 0n, 7n, 7n],
    ["stays zero on networks without fees", 20_000_000n, 20_000_000n, 0n, 0n],
    ["is unchanged if the gas limit is zero", 0n, 0n, 5n, 5n],
  ])("%s", (_, gasLimit, gasUsed, baseFeePerGas, expected) => {
    expect(nextBaseFee({ gasLimit, gasUsed, baseFeePerGas })).toBe(expected);
  });

  it("starts at one gwei when the chain adopts it", () => {
    expect(nextBaseFee({ gasLimit: 20_000_000n, gasUsed: 0n })).toBe(INITIAL_BASE_FEE);
  });

  it("starts with the value of the genesis file, not of block 0", () => {
    const forks = readForks({ londonBlock: 2 }, { baseFeePerGas: "0x10" });
    const block = { gasLimit: 20_000_000n, gasUsed: 0n, timestamp: 1n };

    expect(baseFeeOn({ ...block, number: 1n }, forks)).toBe(16n);
    expect(baseFeeOn({ ...block, number: 1n, baseFeePerGas: 16n }, forks)).toBe(16n);
    expect(baseFeeOn({ ...block, number: 2n, baseFeePerGas: 16n }, forks)).toBe(14n);
    expect(baseFeeOn({ ...block, number: 1n }, readForks({ londonBlock: 2 }))).toBe(
      INITIAL_BASE_FEE,
    );
  });
});
