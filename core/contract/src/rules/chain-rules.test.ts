import { describe, expect, it } from "vitest";
import { readChainRules, USUAL_RULES } from "./chain-rules.js";

describe("the rules of a genesis file", () => {
  it("are the defaults if it sets none", () => {
    expect(readChainRules({ ecCurve: "secp256k1", evmStackSize: 1024 })).toEqual(USUAL_RULES);
  });

  it.each([
    [{ zeroBaseFee: true }, { baseFee: "zero" }],
    [{ fixedBaseFee: true }, { baseFee: "fixed" }],
    [{ zeroBaseFee: true, fixedBaseFee: true }, { baseFee: "zero" }],
    [{ zeroBaseFee: false, fixedbasefee: null }, { baseFee: "market" }],
    [{ contractSizeLimit: 2147483647 }, { maxCodeBytes: 2147483647 }],
    [{ evmStackSize: 2048 }, { maxStackItems: 2048 }],
    [{ EVMSTACKSIZE: "0x1" }, { maxStackItems: 1 }],
    [{ terminalTotalDifficulty: "0x10" }, { terminalTotalDifficulty: 16n }],
    [
      { depositContractAddress: `0x${"AB".repeat(20)}` },
      { contracts: { ...USUAL_RULES.contracts, deposit: `0x${"ab".repeat(20)}` } },
    ],
  ])("are read: %j", (config, rules) => {
    expect(readChainRules(config)).toMatchObject(rules);
  });

  it.each([
    [{ ecCurve: "secp256r1" }, 'config.ecCurve is "secp256r1"; only secp256k1 is supported'],
    [{ evmStackSize: 0 }, "config.evmStackSize is 0; expected a number from 1 to 2147483647"],
    [{ evmStackSize: 2 ** 31 }, "config.evmStackSize is 2147483648; expected a number from 1"],
    [{ evmStackSize: -1 }, "config.evmStackSize is -1; expected a whole number"],
    [{ contractSizeLimit: "much" }, 'config.contractSizeLimit is "much"'],
    [{ zeroBaseFee: "yes" }, 'config.zeroBaseFee is "yes"; expected true or false'],
    [{ depositContractAddress: "0x01" }, 'config.depositContractAddress is "0x01"'],
  ])("are rejected with the invalid key: %j", (config, text) => {
    expect(() => readChainRules(config)).toThrow(text);
  });
});
