import type { Address, ChainReader, SealedHeader } from "@plinth/core";
import type { AuthorityHistory } from "@plinth/kit-poa";
import type { BlockAuthority } from "../blocks/header-rules.js";

/** Where an engine takes the validators of a block from. */
export interface ValidatorSource {
  /** Who may propose and seal the block on a parent, in ascending order. */
  after(parent: SealedHeader, chain: Pick<ChainReader, "findHeader">): Promise<readonly Address[]>;
  /** The same, and whether the header of that block lists them; `timestamp` is that of the block. */
  authorityOn(
    parent: SealedHeader,
    timestamp: bigint,
    chain: Pick<ChainReader, "findHeader">,
  ): Promise<BlockAuthority>;
}

/** Validators by votes alone. */
export class VotedValidators implements ValidatorSource {
  readonly #voted: AuthorityHistory;

  constructor(voted: AuthorityHistory) {
    this.#voted = voted;
  }

  async after(
    parent: SealedHeader,
    chain: Pick<ChainReader, "findHeader">,
  ): Promise<readonly Address[]> {
    return this.#voted.after(parent, chain).members;
  }

  async authorityOn(
    parent: SealedHeader,
    _: bigint,
    chain: Pick<ChainReader, "findHeader">,
  ): Promise<BlockAuthority> {
    return { validators: await this.after(parent, chain), isListed: true };
  }
}
