import type { Address, SealedHeader } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { describeSigners } from "./describe-signers.js";
import { SignerWatch } from "./signer-watch.js";

const [A, B, C] = ["aa", "bb", "cc"].map((byte) => `0x${byte.repeat(20)}` as const) as [
  Address,
  Address,
  Address,
];

const at = (number: bigint) => ({ number }) as SealedHeader;

describe("the watch over signers", () => {
  it("tracks the last block of each, and the missed turns", () => {
    const watch = new SignerWatch();
    watch.joined(at(1n), { signer: A, inTurn: A });
    watch.joined(at(2n), { signer: C, inTurn: B });
    watch.keep([A, B, C]);

    expect(watch.lastBlocks()).toEqual([
      { labels: { signer: A }, value: 1 },
      { labels: { signer: C }, value: 2 },
      { labels: { signer: B }, value: 0 },
    ]);
    expect(watch.misses()).toContainEqual({ labels: { signer: B }, value: 1 });
  });

  it("reports a signer that missed three turns, until it produces a block", () => {
    const watch = new SignerWatch();
    watch.joined(at(1n), { signer: B, inTurn: B });
    for (const number of [2n, 3n, 4n]) watch.joined(at(number), { signer: A, inTurn: B });

    expect(watch.health()).toEqual({
      status: "degraded",
      detail: `${B} missed its last 3 turns and produced no block since 1`,
    });

    watch.joined(at(5n), { signer: B, inTurn: A });
    expect(watch.health()).toEqual({ status: "up" });
  });

  it("drops former signers", () => {
    const watch = new SignerWatch();
    for (const number of [1n, 2n, 3n]) watch.joined(at(number), { signer: A, inTurn: B });

    watch.keep([A]);

    expect(watch.health()).toEqual({ status: "up" });
    expect(watch.misses()).toHaveLength(1);
  });
});

describe("the line at the start", () => {
  it.each<[readonly Address[], Address | undefined, string]>([
    [[], A, `Clique: 0 signers, no block can be produced; this node (${A}) is not one of them`],
    [[A], A, `Clique: 1 signer, all of them are needed; this node signs as ${A}`],
    [[A, B], C, `Clique: 2 signers, all of them are needed; this node (${C}) is not one of them`],
    [
      [A, B, C],
      undefined,
      "Clique: 3 signers, up to 1 may be down while blocks are produced; this node has no key",
    ],
  ])("of %j", (signers, own, line) => {
    expect(describeSigners(signers, own)).toBe(line);
  });
});
