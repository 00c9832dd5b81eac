import type { BlockReader, Hash } from "@plinth/core";
import type { EthPeer } from "@plinth/plugin-protocol-eth/api";
import { describe, expect, it } from "vitest";
import { chooseTarget } from "./choose-target.js";

const hash = (digit: string): Hash => `0x${digit.repeat(64)}`;
const OWN = { number: 100n, hash: hash("a") };

/** A chain of 100 blocks with a total difficulty of 200. */
const blocks = {
  head: () => OWN,
  findHeader: (wanted: Hash) => (wanted === OWN.hash ? OWN : undefined),
  findTotalDifficulty: () => 200n,
} as unknown as BlockReader;

const NONE = { isAvoided: () => false, failures: () => 0 };

const peer = (number: bigint | undefined, totalDifficulty?: bigint, head = hash("b")) =>
  ({ id: head, head: { hash: head, number, totalDifficulty } }) as unknown as EthPeer;

describe("the peer to synchronize with", () => {
  it.each<[string, EthPeer, boolean]>([
    ["is heavier", peer(99n, 201n), true],
    ["has the same weight with another head, at any height", peer(98n, 200n), true],
    ["is lighter, although it is higher", peer(150n, 199n), false],
    ["has the same head", peer(100n, 200n, OWN.hash), false],
    ["does not report its weight and is higher", peer(101n), true],
    ["does not report its weight and is a little lower", peer(99n), true],
    ["does not report its weight and is far below", peer(50n), false],
    ["has a head with an unknown number", peer(undefined, 300n), false],
  ])("%s", (_, candidate, isChosen) => {
    expect(chooseTarget([candidate], blocks, NONE)).toBe(isChosen ? candidate : undefined);
  });

  it("is the heaviest that is not avoided", () => {
    const peers = [
      peer(101n, 201n, hash("1")),
      peer(102n, 203n, hash("2")),
      peer(103n, 202n, hash("3")),
    ];

    const isAvoided = (id: string) => id === peers[1]?.id;
    expect(chooseTarget(peers, blocks, NONE)).toBe(peers[1]);
    expect(chooseTarget(peers, blocks, { ...NONE, isAvoided })).toBe(peers[2]);
  });

  it("is one that failed less often, regardless of the claims of others", () => {
    const peers = [
      peer(2n ** 63n, 2n ** 64n, hash("1")),
      peer(102n, 203n, hash("2")),
      peer(103n, 202n, hash("3")),
    ];
    const failures = (id: string) => (id === peers[0]?.id ? 2 : 1);

    expect(chooseTarget(peers, blocks, { ...NONE, failures })).toBe(peers[1]);
  });
});
