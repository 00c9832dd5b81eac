import type { Runtime } from "@plinth/core";
import type { BftChain } from "@plinth/kit-bft";
import type { Qbft } from "./create-qbft.js";

/** What the migration from IBFT 2.0 needs of a node. */
interface MigratingRuntime extends Pick<Runtime, "chain"> {
  readonly ibft?: BftChain | undefined;
}

/**
 * Moves the operator's votes to QBFT once it produces the next block; existing QBFT votes are kept.
 */
export async function takeOverVotes(
  { ibft, chain }: MigratingRuntime,
  { startBlock, chain: { proposals } }: Pick<Qbft, "startBlock" | "chain">,
): Promise<void> {
  const next = chain.blocks.head().number + 1n;
  if (ibft === undefined || next < startBlock) return;
  const known = new Set((await proposals.list()).map(({ candidate }) => candidate));
  for (const proposal of await ibft.proposals.list()) {
    // Deleted only after they are written: a crash in between repeats the move.
    if (!known.has(proposal.candidate)) await proposals.propose(proposal);
    await ibft.proposals.discard(proposal.candidate);
  }
}
