import { describe, expect, it } from "vitest";
import { verifyApis } from "./apis.js";

describe("the namespaces of a listener", () => {
  it("may be those of loaded plugins, in any case", () => {
    expect(verify(["ETH", "net"], ["eth", "net", "web3"])).toEqual([]);
  });

  it("may be those of parts of Besu that are not implemented, with a warning each", () => {
    expect(verify(["ETH", "EEA", "priv"], ["eth"])).toEqual([
      "--rpc-http-api: EEA is not available: the plugins for private transactions are not loaded",
      "--rpc-http-api: priv is not available: the plugins for private transactions are not loaded",
    ]);
  });

  it("get no warning once a plugin has them", () => {
    expect(verify(["EEA"], ["eea"])).toEqual([]);
  });

  it("may not be unknown", () => {
    expect(() => verify(["ETH", "PRIV", "FOO"], ["eth"])).toThrow(
      "Invalid value for option '--rpc-http-api': invalid entries found [FOO]; loaded plugins provide ETH",
    );
  });
});

function verify(named: readonly string[], loaded: readonly string[]): readonly string[] {
  const warnings: string[] = [];
  verifyApis("rpc-http-api", { named, loaded }, { warn: (text) => void warnings.push(text) });
  return warnings;
}
