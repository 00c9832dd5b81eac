import { describe, expect, it } from "vitest";
import { findEarly } from "./early-options.js";

describe("options that are read before plugins are known", () => {
  it.each([
    ["--config-file=a.toml", { "config-file": "a.toml" }],
    ["--config-file a.toml", { "config-file": "a.toml" }],
    ["--rpc-http-enabled --config-file=a.toml", { "config-file": "a.toml" }],
    ["--rpc-http-api ETH --config-file a.toml", { "rpc-http-api": "ETH", "config-file": "a.toml" }],
  ])("are found in %s", (line, values) => {
    expect(Object.fromEntries(findEarly(line.split(" ")).values)).toEqual(values);
  });

  it.each([
    "operator generate-blockchain-config --config-file=a.json",
    "--data-path=x validate-config --config-file a.toml",
    "--miner-enabled operator generate --config-file=a.json",
  ])("do not extend into the subcommand: %s", (line) => {
    expect(findEarly(line.split(" ")).values.has("config-file")).toBe(false);
  });
});
