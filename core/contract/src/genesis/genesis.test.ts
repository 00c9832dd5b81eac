import { describe, expect, it } from "vitest";
import { parseGenesis } from "./genesis.js";

describe("parseGenesis", () => {
  it.each<[string, unknown, bigint | undefined]>([
    ["a number", { chainId: 1337 }, 1337n],
    ["zero", { chainId: 0 }, 0n],
    ["decimal text", { chainId: "1337" }, 1337n],
    ["hex text", { chainId: "0x539" }, 1337n],
    ["a large number as a string", { chainId: "18446744073709551616" }, 2n ** 64n],
    ["another spelling of the key", { chainID: 1337 }, 1337n],
    ["no chain id at all", {}, undefined],
    ["null, which counts as absent", { chainId: null }, undefined],
  ])("accepts a chain id that is %s", (_, config, chainId) => {
    expect(parseGenesis({ config }, "genesis.json")).toMatchObject({
      chainId,
      config,
      origin: "genesis.json",
    });
  });

  it.each<[string, object]>([
    ["no config", {}],
    ["a config that is null", { config: null }],
  ])("accepts a file with %s, if it has the fields of block 0", (_, json) => {
    const whole = { ...json, Difficulty: "0x1", gasTarget: "0x2" };

    expect(parseGenesis(whole, "genesis.json")).toMatchObject({
      chainId: undefined,
      json: whole,
      config: {},
    });
  });

  it("uses the last of two spellings", () => {
    const config = { chainid: 1, chainId: 2 };

    expect(parseGenesis({ config }, "genesis.json").chainId).toBe(2n);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a list", []],
    ["a config that is a string", { config: "qbft" }],
    ["a config that is a list", { config: [] }],
    ["neither config nor difficulty", { gasLimit: "0x1" }],
    ["neither config nor gas limit", { difficulty: "0x1" }],
    ["members of config at the top level", { chainId: 61, ibft2: {} }],
  ])("rejects %s, naming the file", (_, json) => {
    expect(() => parseGenesis(json, "genesis.json")).toThrowError(
      expect.objectContaining({
        code: "GENESIS_INVALID",
        message: expect.stringMatching(/^Unable to load genesis file\. genesis\.json: /),
      }),
    );
  });

  it.each<[unknown, string]>([
    [-1, "-1"],
    [1.5, "1.5"],
    [2 ** 53, "9007199254740992"],
    ["abc", '"abc"'],
    ["", '""'],
    ["0x", '"0x"'],
    [true, "true"],
  ])("rejects the chain id %o, naming the value", (chainId, shown) => {
    expect(() => parseGenesis({ config: { chainId } }, "genesis.json")).toThrowError(
      expect.objectContaining({
        code: "GENESIS_INVALID",
        message: expect.stringContaining(`genesis.json: config.chainId is ${shown};`),
      }),
    );
  });
});
