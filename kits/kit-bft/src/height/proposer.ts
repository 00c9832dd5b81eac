import type { Address } from "@plinth/core";

/** The previous proposer, and the current validators. */
export interface ProposerTurn {
  /** In ascending order, not empty. */
  readonly validators: readonly Address[];
  /** The author of the parent block. */
  readonly previous: Address;
  readonly round: number;
}

/** The proposer of a round: validators take turns, starting after the author of the parent. */
export function selectProposer({ validators, previous, round }: ProposerTurn): Address | undefined {
  const index = validators.indexOf(previous);
  // An author that left the set is followed by the next greater address.
  const first = index === -1 ? validators.findIndex((each) => each > previous) : index + 1;
  return validators[(Math.max(first, 0) + round) % validators.length];
}
