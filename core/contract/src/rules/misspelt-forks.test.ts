import { describe, expect, it } from "vitest";
import { findMisspeltForks } from "./misspelt-forks.js";

describe("findMisspeltForks", () => {
  it.each([
    ["londonBlok", "londonBlock"],
    ["BERLINBLOCKS", "berlinBlock"],
    ["shangaiTime", "shanghaiTime"],
    ["constantinopelFixBlock", "constantinopleFixBlock"],
  ])("finds the fork that %s stands for", (key, nearest) => {
    expect(findMisspeltForks({ [key]: 0 })).toEqual([{ key, nearest }]);
  });

  it("accepts known keys in any case, and keys unlike any fork", () => {
    const config = {
      chainId: 1,
      LONDONBLOCK: 0,
      constantinoplefixblock: 0,
      osakaTime: 0,
      eip160Block: 0,
      parisBlock: 10,
      unexpectedFork1Block: 7,
      terminalTotalDifficulty: 0,
      zeroBaseFee: true,
      qbft: {},
    };

    expect(findMisspeltForks(config)).toEqual([]);
  });
});
