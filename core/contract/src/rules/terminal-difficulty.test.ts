import { describe, expect, it } from "vitest";
import { readTerminalDifficulty } from "./terminal-difficulty.js";

describe("the terminal total difficulty of a genesis file", () => {
  it.each([
    ["a number", 4732352, 4732352n],
    ["zero", 0, 0n],
    ["a number beyond 2^53", 58750000000000000000000, 58750000000000000000000n],
    ["a decimal text", "58750000000000000000000", 58750000000000000000000n],
    ["a hex text", "0x20000", 131072n],
    ["null", null, undefined],
    ["nothing", undefined, undefined],
  ])("may be %s", (_, value, expected) => {
    expect(readTerminalDifficulty(value)).toBe(expected);
  });

  it.each([
    ["a fraction", 1.5],
    ["a negative number", -1],
    ["a word", "soon"],
    ["a list", []],
  ])("may not be %s", (_, value) => {
    expect(() => readTerminalDifficulty(value)).toThrow(
      expect.objectContaining({ code: "GENESIS_INVALID" }),
    );
  });
});
