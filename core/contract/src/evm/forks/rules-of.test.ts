import { describe, expect, it } from "vitest";
import { FORKS, NEWEST_FORK } from "../fork.js";
import { RECORDS } from "./records.js";
import type { ForkRecord } from "./rule-set.js";
import { rulesOf } from "./rules-of.js";

describe("the rules of a fork", () => {
  it("are those of the previous fork unless its record changes them", () => {
    expect(rulesOf("dao")).toEqual(rulesOf("homestead"));
    expect(rulesOf("grayGlacier")).toEqual(rulesOf("london"));
    expect(rulesOf("osaka").refundQuotient).toBe(5n);
  });

  it("include the changes of its record", () => {
    expect(rulesOf("prague").maxTransactionGas).toBeUndefined();
    expect(rulesOf("osaka").maxTransactionGas).toBe(16_777_216n);
    expect(rulesOf("constantinople").netStore?.noop).toBe(200);
    expect(rulesOf("petersburg").netStore).toBeUndefined();
  });

  it("have instructions with the price of the latest fork that changed it", () => {
    const priceOf = (name: string) => FORKS.map((fork) => rulesOf(fork).opcodes[name]?.[3]);

    expect(new Set(priceOf("SLOAD"))).toEqual(new Set([50, 200, 800, 0]));
    expect(priceOf("CLZ")).toEqual([...FORKS.slice(1).map(() => undefined), 5]);
  });

  it("have precompiles with the price of the latest fork that changed it", () => {
    const eips = FORKS.map((fork) => rulesOf(fork).precompiles.MODEXP?.priceEip);

    expect([...new Set(eips)]).toEqual([undefined, 198, 2565, 7883]);
    expect(rulesOf("osaka").precompiles.P256VERIFY?.address).toBe(`0x${"100".padStart(40, "0")}`);
  });

  it("have one name per opcode and per address", () => {
    const { opcodes, precompiles } = rulesOf(NEWEST_FORK);
    const bytes = Object.values(opcodes).map(([byte]) => byte);
    const addresses = Object.values(precompiles).map(({ address }) => address);

    expect(new Set(bytes).size).toBe(bytes.length);
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});

it("a fork is activated at a block, at a time, or has no genesis key", () => {
  const keys = FORKS.map((fork): ForkRecord => RECORDS[fork]);

  expect(keys.filter(({ blockKeys, timeKeys }) => blockKeys && timeKeys)).toEqual([]);
  expect(FORKS.filter((_, i) => !keys[i]?.blockKeys && !keys[i]?.timeKeys)).toEqual([
    "frontier",
    "paris",
  ]);
});
