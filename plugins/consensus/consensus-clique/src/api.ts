import { type Address, defineService, type Header, type SealedHeader } from "@plinth/core";
import type { Authorities, StandingProposals } from "@plinth/kit-poa";

/** A Clique chain, for its RPC methods. */
export interface Clique {
  /** Epoch length: every so many blocks the votes are reset and the block lists the signers. */
  readonly epochLength: bigint;
  /** The proposals of this node's operator. */
  readonly proposals: Pick<StandingProposals, "list" | "propose" | "discard">;
  /** The signer of a block; the zero address for block 0. */
  signerOf(header: Header): Address;
  /** The signers after a block, and the pending votes. */
  after(header: SealedHeader): Authorities;
  /** The in-turn signer of a block. */
  inTurnSignerOf(header: SealedHeader): Address | undefined;
  /**
   * The latest blocks, as many as a majority of the signers, with their signers; the newest first.
   */
  recentBlocks(
    header: SealedHeader,
  ): readonly { readonly number: bigint; readonly signer: Address }[];
}

/** Service key of the chain, for `rpc-clique` and others. */
export const clique = defineService<Clique>("consensus-clique.clique", {
  hint: "@plinth/plugin-consensus-clique",
});
