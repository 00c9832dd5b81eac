import { describe, expect, it } from "vitest";
import { formatCell } from "./csv.js";

describe("a cell of a file", () => {
  it.each([
    ["plain", '"plain"'],
    ['with "quotes", commas', '"with ""quotes"", commas"'],
    ["-12.5", '"-12.5"'],
    ["=1+1", '"\'=1+1"'],
    ["+cmd", '"\'+cmd"'],
    ["@sum", '"\'@sum"'],
    ["-1+cmd|' /C calc'!A0", "\"'-1+cmd|' /C calc'!A0\""],
    ["\t=1", '"\'\t=1"'],
  ])("for %s is no formula", (text, cell) => {
    expect(formatCell(text)).toBe(cell);
  });
});
