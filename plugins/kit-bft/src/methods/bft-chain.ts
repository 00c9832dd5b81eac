import type { Address, Call, SealedHeader } from "@plinth/core";
import type { StandingProposals } from "@plinth/kit-poa";

/** What the methods ask a chain of validators. */
export interface BftChain {
  readonly proposals: StandingProposals;
  /** Whether a contract names the validators of the block after a header, so that votes mean nothing. */
  isContract(header: SealedHeader): boolean;
  /** The validators that callers see at a block. */
  validatorsAt(header: SealedHeader): readonly Address[] | Promise<readonly Address[]>;
  /** Who may propose and seal the block after a header. */
  validatorsAfter(header: SealedHeader): Promise<readonly Address[]>;
  /** The same by votes alone, as Besu counts: no transition replaces them. */
  votedAfter(header: SealedHeader): readonly Address[];
}

/** Finds the chain in what a handler receives. */
export type ChainOf<C extends Call> = (call: C) => BftChain;
