import type { Address, SealedHeader } from "@plinth/core";
import type { Vote } from "@plinth/kit-poa";
import type { Clique } from "@plinth/plugin-consensus-clique/api";
import { expect, it } from "vitest";
import { takeSnapshot } from "./snapshot.js";

const [A, B, C] = ["aa", "bb", "cc"].map((byte) => `0x${byte.repeat(20)}` as const) as [
  Address,
  Address,
  Address,
];
const HEADER = { number: 7n, hash: `0x${"12".repeat(32)}` } as unknown as SealedHeader;

it("counts the effective votes, and omits those that only cancel others", () => {
  const votes: readonly Vote[] = [
    { voter: A, candidate: C, kind: "add", block: 3n },
    { voter: B, candidate: C, kind: "drop", block: 4n },
    { voter: B, candidate: A, kind: "drop", block: 5n },
  ];
  const clique = {
    after: () => ({ members: [A, B], votes }),
    recentBlocks: () => [
      { number: 7n, signer: B },
      { number: 6n, signer: A },
    ],
  } as unknown as Clique;

  expect(takeSnapshot(HEADER, clique)).toEqual({
    number: 7,
    hash: HEADER.hash,
    signers: { [A]: {}, [B]: {} },
    recents: { "6": A, "7": B },
    votes: [
      { signer: A, block: 3, address: C, authorize: true },
      { signer: B, block: 5, address: A, authorize: false },
    ],
    tally: { [C]: { authorize: true, votes: 1 }, [A]: { authorize: false, votes: 1 } },
  });
});
