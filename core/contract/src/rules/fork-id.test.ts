import { describe, expect, it } from "vitest";
import { forkHashAt, forkIdAt, readForkPoints } from "./fork-id.js";

/** Mainnet, with the fork hashes listed in EIP-2124. */
const HASH = "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3";
const MAINNET = {
  config: {
    chainId: 1,
    homesteadBlock: 1_150_000,
    daoForkBlock: "0x1d4c00",
    daoForkSupport: true,
    eip150Block: 2_463_000,
    eip155Block: 2_675_000,
    eip158Block: 2_675_000,
    byzantiumBlock: 4_370_000,
    constantinopleBlock: 7_280_000,
    petersburgBlock: 7_280_000,
  },
};

describe("the fork hash of EIP-2124", () => {
  it.each([
    [0n, "0xfc64ec04"],
    [1_149_999n, "0xfc64ec04"],
    [1_150_000n, "0x97c2c34c"],
    [1_920_000n, "0x91d1f948"],
    [2_463_000n, "0x7a64da13"],
    [2_675_000n, "0x3edd5b10"],
    [4_370_000n, "0xa00bc324"],
    [7_280_000n, "0x668db0af"],
  ])("at block %s of mainnet is %s", (number, expected) => {
    expect(forkHashAt(HASH, readForkPoints(MAINNET), { number, timestamp: 0n })).toBe(expected);
  });

  it("orders forks by time after those by number, and ignores those active at genesis", () => {
    const genesis = {
      timestamp: "0x10",
      config: {
        londonBlock: 0,
        berlinBlock: 5,
        shanghaiTime: 16,
        cancunTime: 20,
        bpo1Time: "0x1e",
      },
    };

    expect(readForkPoints(genesis)).toEqual({ blocks: [5n], times: [20n, 30n] });
  });
});

describe("the fork id", () => {
  it.each([
    [0n, 0n, 1_150_000n],
    [7_279_999n, 0n, 7_280_000n],
    [7_280_000n, 0n, 0n],
  ])("at block %s, time %s has %s as the next fork", (number, timestamp, next) => {
    const points = readForkPoints(MAINNET);
    const hash = forkHashAt(HASH, points, { number, timestamp });

    expect(forkIdAt(HASH, points, { number, timestamp })).toEqual({ hash, next });
  });

  it("uses a fork by time if no fork by number is left", () => {
    const points = { blocks: [5n], times: [20n, 30n] };

    expect(forkIdAt(HASH, points, { number: 5n, timestamp: 20n }).next).toBe(30n);
  });
});
