import { describe, expect, it } from "vitest";
import { overrideConfig } from "./override-config.js";

describe("overrideConfig", () => {
  const json = { Config: { chainId: 1, londonblock: 5, qbft: {} }, alloc: {} };

  it("replaces keys in any case and adds new ones", () => {
    const changes = new Map([
      ["londonBlock", "7"],
      ["zeroBaseFee", "true"],
      ["ecCurve", "secp256k1"],
    ]);

    expect(overrideConfig(json, changes)).toEqual({
      alloc: {},
      config: { chainId: 1, qbft: {}, londonBlock: 7, zeroBaseFee: true, ecCurve: "secp256k1" },
    });
  });

  it("leaves a file unchanged without overrides, except for the spelling of config", () => {
    const usual = { config: { chainId: 1 } };

    expect(overrideConfig(usual, new Map())).toBe(usual);
    expect(overrideConfig(json, new Map())).toEqual({ config: json.Config, alloc: {} });
  });

  it.each([true, 5, "text", [1]])(
    "keeps a config that is not an object, for the error message: %j",
    (config) => {
      const changes = new Map([["chainId", "9"]]);

      expect(overrideConfig({ Config: config, alloc: {} }, new Map())).toEqual({
        config,
        alloc: {},
      });
      expect(overrideConfig({ config, alloc: {} }, changes)).toEqual({ config, alloc: {} });
    },
  );

  it("creates a missing config", () => {
    expect(overrideConfig({}, new Map([["chainId", "9"]]))).toEqual({ config: { chainId: 9 } });
  });
});
