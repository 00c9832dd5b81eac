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
    ["\t=1", '"\t\'=1"'],
    ["\n =1", '"\n\' =1"'],
    ["a;=1+1;", '"a;\'=1+1;"'],
    ["a\t@sum", '"a\t\'@sum"'],
    ["a, -b", '"a, -b"'],
    ["a \uff1d1", '"a \uff1d1"'],
    ["\uff1d1", '"\'\uff1d1"'],
    ["1;-2", '"1;\'-2"'],
    ["a-b = c", '"a-b = c"'],
  ])("for %s is no formula", (text, cell) => {
    expect(formatCell(text)).toBe(cell);
  });
});
