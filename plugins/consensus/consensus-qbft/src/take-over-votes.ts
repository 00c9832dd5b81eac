import type { Runtime } from "@plinth/core";
import type { BftChain } from "@plinth/kit-bft";
import type { Qbft } from "./create-qbft.js";

/** What the change from IBFT 2.0 needs of a node. */
interface MigratingRuntime extends Pick<Runtime, "chain"> {
  readonly ibft?: BftChain | undefined;
}

/** Moves what the operator votes for to QBFT once it makes the next block; what was asked of QBFT already stands. */
export async function takeOverVotes(
  { ibft, chain }: MigratingRuntime,
  { startBlock, chain: { proposals } }: Pick<Qbft, "startBlock" | "chain">,
): Promise<void> {
  const next = chain.blocks.head().number + 1n;
  if (ibft === undefined || next < startBlock) return;
  const known = new Set((await proposals.list()).map(({ candidate }) => candidate));
  for (const proposal of await ibft.proposals.list()) {
    // Deleted only when it is written: a crash in between repeats the move.
    if (!known.has(proposal.candidate)) await proposals.propose(proposal);
    await ibft.proposals.discard(proposal.candidate);
  }
}
