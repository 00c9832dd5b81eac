import type { Hash } from "@plinth/core";
import { type ForkPoints, forkHashAt } from "@plinth/core/rules";
import { describe, expect, it } from "vitest";
import { forkMismatch } from "./fork-filter.js";

/** The forks of mainnet up to Shanghai. */
const MAINNET: ForkPoints = {
  blocks: [
    1_150_000n,
    1_920_000n,
    2_463_000n,
    2_675_000n,
    4_370_000n,
    7_280_000n,
    9_069_000n,
    9_200_000n,
    12_244_000n,
    12_965_000n,
    13_773_000n,
    15_050_000n,
  ],
  times: [1_681_338_455n],
};
const GENESIS: Hash = "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3";

const remote = (hash: string, next: bigint) => ({ hash: `0x${hash}` as const, next });

describe("the fork id of a peer", () => {
  it.each([
    ["the same, no next fork", 7_987_396n, remote("668db0af", 0n), true],
    ["the same, with a distant next fork", 7_987_396n, remote("668db0af", 2n ** 64n - 1n), true],
    ["before Byzantium, which is next", 7_279_999n, remote("a00bc324", 7_280_000n), true],
    ["before Petersburg, this node past it", 7_987_396n, remote("a00bc324", 7_280_000n), true],
    ["past Petersburg, this node before it", 7_279_999n, remote("668db0af", 0n), true],
    ["before Petersburg, unaware of it", 7_987_396n, remote("a00bc324", 0n), false],
    ["of a fork that this chain does not have", 7_987_396n, remote("5cddc0e1", 0n), false],
    [
      "the same, with a next fork that has passed",
      7_987_396n,
      remote("668db0af", 7_280_001n),
      false,
    ],
    ["of another chain", 7_987_396n, remote("afec6b27", 0n), false],
  ])("%s: block %i", (_, number, forkId, isAccepted) => {
    const head = { number, timestamp: 0n };

    const mismatch = forkMismatch(forkId, { genesisHash: GENESIS, points: MAINNET, head });

    expect(mismatch === undefined, mismatch).toBe(isAccepted);
  });

  it("is compared by time after the last fork by number", () => {
    const at = (timestamp: bigint) => ({ number: 20_000_000n, timestamp });
    const judge = (forkId: ReturnType<typeof remote>, timestamp: bigint) =>
      forkMismatch(forkId, { genesisHash: GENESIS, points: MAINNET, head: at(timestamp) });

    expect(judge(remote("f0afd0e3", 1_681_338_455n), 1_681_338_454n)).toBeUndefined();
    expect(judge(remote("f0afd0e3", 1_681_338_455n), 1_681_338_456n)).toBeUndefined();
    expect(judge(remote("f0afd0e3", 0n), 1_681_338_456n)).toMatch(/behind the fork/);
    expect(judge(remote("dce96c2d", 0n), 1_681_338_454n)).toBeUndefined();
  });

  it("does not matter on a chain whose rules never change", () => {
    const points = { blocks: [], times: [] };
    const head = { number: 5n, timestamp: 5n };

    expect(forkMismatch(remote("00000000", 0n), { genesisHash: GENESIS, points, head })).toBe(
      undefined,
    );
  });

  it("starts with that of the genesis block", () => {
    expect(forkHashAt(GENESIS, MAINNET, { number: 0n, timestamp: 0n })).toBe("0xfc64ec04");
  });
});
