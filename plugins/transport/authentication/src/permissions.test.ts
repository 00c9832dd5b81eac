import { describe, expect, it } from "vitest";
import { holds } from "./permissions.js";

describe("a permission", () => {
  it.each([
    ["eth:call", "eth:call", true],
    ["eth:*", "eth:call", true],
    ["*:*", "eth:call", true],
    ["eth:estimateGas", "eth:call", false],
    ["net:*", "eth:call", false],
    ["ETH:*", "eth:call", false],
    ["*", "eth:call", false],
    ["eth:ca*", "eth:call", false],
    ["*:call", "eth:call", false],
    ["", "eth:call", false],
  ])("%j for %j: %j", (held, needed, expected) => {
    expect(holds({ name: "a", permissions: [held] }, needed)).toBe(expected);
  });
});
