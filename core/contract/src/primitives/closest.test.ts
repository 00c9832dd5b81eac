import { describe, expect, it } from "vitest";
import { closestTo } from "./closest.js";

describe("closestTo", () => {
  it.each([
    ["a letter is missing", "rpc-htp-port"],
    ["there is a letter too many", "rpc-htttp-port"],
    ["a letter is wrong", "rpc-http-pord"],
    ["two letters are swapped", "rpc-http-prot"],
  ])("finds a name when %s", (_, misspelt) => {
    expect(closestTo(misspelt, ["data-path", "rpc-http-port"])).toEqual(["rpc-http-port"]);
  });

  it("puts the nearest first", () => {
    expect(closestTo("abcd", ["abxy", "abcx", "abcd"])).toEqual(["abcd", "abcx", "abxy"]);
  });

  it("keeps the given order among names that are equally near", () => {
    expect(closestTo("cat", ["hat", "bat", "rat"])).toEqual(["hat", "bat", "rat"]);
  });

  it("returns at most three", () => {
    expect(closestTo("cat", ["hat", "bat", "rat", "mat"])).toHaveLength(3);
  });

  it("finds nothing in dissimilar names, or in none", () => {
    expect(closestTo("genesis", ["rpc-http-port", "data-path"])).toEqual([]);
    expect(closestTo("genesis", [])).toEqual([]);
  });

  it("allows a long name more mistakes than a short one", () => {
    expect(closestTo("abc", ["xyzc"])).toEqual([]);
    expect(closestTo("rpc-http-max-bxyzh-size", ["rpc-http-max-batch-size"])).toEqual([
      "rpc-http-max-batch-size",
    ]);
  });
});
