import type { StandingProposals } from "@plinth/kit-poa";

/** Moves what the operator votes for from the engine before this one; what was asked of this one already stands. */
export async function takeOverVotes(from: StandingProposals, to: StandingProposals): Promise<void> {
  const known = new Set((await to.list()).map(({ candidate }) => candidate));
  for (const proposal of await from.list()) {
    // Deleted only when it is written: a crash in between repeats the move.
    if (!known.has(proposal.candidate)) await to.propose(proposal);
    await from.discard(proposal.candidate);
  }
}
