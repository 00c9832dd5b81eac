import { describe, expect, it } from "vitest";
import type { SealedHeader } from "../blocks/header.js";
import { INITIAL_BASE_FEE } from "./initial-base-fee.js";
import { expectedGasLimit, verifyHeader } from "./verify-header.js";

const ZERO = `0x${"00".repeat(32)}` as const;

function aHeader(fields: Partial<SealedHeader> = {}): SealedHeader {
  return {
    hash: ZERO,
    parentHash: ZERO,
    unclesHash: ZERO,
    coinbase: `0x${"00".repeat(20)}`,
    stateRoot: ZERO,
    transactionsRoot: ZERO,
    receiptsRoot: ZERO,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    number: 1n,
    gasLimit: 1_024_000n,
    gasUsed: 0n,
    timestamp: 0n,
    extraData: new Uint8Array(),
    mixHash: ZERO,
    nonce: new Uint8Array(8),
    ...fields,
  };
}

const PARENT = aHeader({ number: 0n });
const LEGACY = { hasBaseFee: false, takesAnyBaseFee: false };
const MARKET = { hasBaseFee: true, takesAnyBaseFee: false };

describe("a header on every chain", () => {
  it.each([
    ["keeps the gas limit", {}],
    ["raises it by less than a 1024th", { gasLimit: 1_024_999n }],
    ["lowers it by less than a 1024th", { gasLimit: 1_023_001n }],
    ["uses all of its gas", { gasUsed: 1_024_000n }],
  ])("is valid if it %s", (_, fields) => {
    expect(() => verifyHeader(aHeader(fields), PARENT, LEGACY)).not.toThrow();
  });

  it.each([
    ["number", { number: 2n }],
    ["gas-limit", { gasLimit: 1_025_000n }],
    ["gas-limit", { gasLimit: 1_023_000n }],
    ["gas-used", { gasUsed: 1_024_001n }],
    ["base-fee", { baseFeePerGas: 7n }],
  ])("is rejected by the rule %s", (rule, fields) => {
    expect(() => verifyHeader(aHeader(fields), PARENT, LEGACY)).toThrow(
      expect.objectContaining({ rule }),
    );
  });

  it.each([
    ["low", 4_999n],
    ["high", 2n ** 63n],
  ])("is rejected if its gas limit is too %s", (_, gasLimit) => {
    const parent = aHeader({ number: 0n, gasLimit });

    expect(() => verifyHeader(aHeader({ gasLimit }), parent, LEGACY)).toThrow(
      expect.objectContaining({ rule: "gas-limit" }),
    );
  });

  it("has twice the gas limit and the initial base fee when fees start", () => {
    const first = aHeader({ gasLimit: 2_048_000n, baseFeePerGas: INITIAL_BASE_FEE });

    expect(expectedGasLimit(PARENT, true)).toBe(2_048_000n);
    expect(() => verifyHeader(first, PARENT, MARKET)).not.toThrow();
    expect(() => verifyHeader(aHeader(), PARENT, MARKET)).toThrow(
      expect.objectContaining({ rule: "gas-limit" }),
    );
  });

  it.each([
    ["is missing", {}],
    ["is another", { baseFeePerGas: 876n }],
  ])("is rejected if its base fee %s", (_, fields) => {
    const parent = aHeader({ number: 0n, baseFeePerGas: 1000n });

    expect(() => verifyHeader(aHeader(fields), parent, MARKET)).toThrow(
      expect.objectContaining({ rule: "base-fee" }),
    );
  });

  it("may have any gas limit if the engine accepts any, but not one that is too low", () => {
    const rules = { ...LEGACY, takesAnyGasLimit: true };

    expect(() => verifyHeader(aHeader({ gasLimit: 9_000_000n }), PARENT, rules)).not.toThrow();
    expect(() => verifyHeader(aHeader({ gasLimit: 4999n }), PARENT, rules)).toThrow(
      expect.objectContaining({ rule: "gas-limit" }),
    );
  });

  it("may have any base fee if the market does not set it", () => {
    const parent = aHeader({ number: 0n, baseFeePerGas: 1000n });
    const rules = { ...MARKET, takesAnyBaseFee: true };

    expect(() => verifyHeader(aHeader({ baseFeePerGas: 3n }), parent, rules)).not.toThrow();
  });
});
