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
  /** The same by headers alone: without validators where a contract determines them. */
  authorityByHeaders(
    parent: SealedHeader,
    timestamp: bigint,
    chain: Pick<ChainReader, "findHeader">,
  ): HeaderAuthority;
}

/** The validators of a block as far as headers determine them. */
export interface HeaderAuthority extends Pick<BlockAuthority, "isListed"> {
  readonly validators: readonly Address[] | undefined;
}

/** Validators by votes alone. */
export function votedValidators(voted: AuthorityHistory): ValidatorSource {
  const authorityAfter = (parent: SealedHeader, chain: Pick<ChainReader, "findHeader">) => ({
    validators: voted.after(parent, chain).members,
    isListed: true,
  });
  return {
    after: async (parent, chain) => voted.after(parent, chain).members,
    authorityOn: async (parent, _, chain) => authorityAfter(parent, chain),
    authorityByHeaders: (parent, _, chain) => authorityAfter(parent, chain),
  };
}
