import { type Address, type SealedHeader, t } from "@plinth/core";
import { effectiveVotes, type Vote } from "@plinth/kit-poa";
import type { Clique } from "@plinth/plugin-consensus-clique/api";

/** The state of the votes after a block, in geth's format. */
export const snapshot = t.object({
  number: t.integer({ min: 0 }),
  hash: t.hash,
  signers: t.record(t.object({})),
  recents: t.record(t.address),
  votes: t.array(
    t.object({
      signer: t.address,
      block: t.integer({ min: 0 }),
      address: t.address,
      authorize: t.boolean,
    }),
  ),
  tally: t.record(t.object({ authorize: t.boolean, votes: t.integer({ min: 0 }) })),
});

/** An example, for the reference. */
export const SNAPSHOT_EXAMPLE = {
  number: 5,
  hash: `0x${"12".repeat(32)}`,
  signers: { [`0x${"ab".repeat(20)}`]: {} },
  recents: { "5": `0x${"ab".repeat(20)}` },
  votes: [],
  tally: {},
};

/** Takes a snapshot after a block. */
export function takeSnapshot(header: SealedHeader, clique: Clique) {
  const authorities = clique.after(header);
  const votes = effectiveVotes(authorities);
  return {
    number: Number(header.number),
    hash: header.hash,
    signers: Object.fromEntries(authorities.members.map((member) => [member, {}])),
    recents: Object.fromEntries(
      clique.recentBlocks(header).map(({ number, signer }) => [`${number}`, signer]),
    ),
    votes: votes.map(({ voter, block, candidate, kind }) => ({
      signer: voter,
      block: Number(block),
      address: candidate,
      authorize: kind === "add",
    })),
    tally: tallyOf(votes),
  };
}

function tallyOf(votes: readonly Vote[]) {
  const tally: Record<Address, { authorize: boolean; votes: number }> = {};
  for (const { candidate, kind } of votes) {
    const count = (tally[candidate]?.votes ?? 0) + 1;
    tally[candidate] = { authorize: kind === "add", votes: count };
  }
  return tally;
}
