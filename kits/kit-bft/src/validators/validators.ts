import type { Address, ChainReader, SealedHeader } from "@plinth/core";
import type { AuthorityHistory } from "@plinth/kit-poa";
import type { BlockAuthority } from "../blocks/header-rules.js";

/** The source of the validators of a block. */
export interface ValidatorSource {
  /** The validators of the block on a parent, in ascending order. */
  after(parent: SealedHeader, chain: Pick<ChainReader, "findHeader">): Promise<readonly Address[]>;
  /**
   * The same, and whether the header of that block lists them; `timestamp` is that of the block.
   */
  authorityOn(
    parent: SealedHeader,
    timestamp: bigint,
    chain: Pick<ChainReader, "findHeader">,
  ): Promise<BlockAuthority>;
}

/** Validators by votes alone. */
export function votedValidators(voted: AuthorityHistory): ValidatorSource {
  return {
    after: async (parent, chain) => voted.after(parent, chain).members,
    authorityOn: async (parent, _, chain) => ({
      validators: voted.after(parent, chain).members,
      isListed: true,
    }),
  };
}
