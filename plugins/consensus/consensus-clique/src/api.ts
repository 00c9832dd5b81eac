import { type Address, defineService, type Header, type SealedHeader } from "@plinth/core";
import type { Authorities, StandingProposals } from "@plinth/kit-poa";

/** A Clique chain as its methods see it. */
export interface Clique {
  /** Every so many blocks the votes are void and the block lists the signers. */
  readonly epochLength: bigint;
  /** What the operator of this node asks for. */
  readonly proposals: Pick<StandingProposals, "list" | "propose" | "discard">;
  /** The signer of a block; the zero address for block 0. */
  signerOf(header: Header): Address;
  /** Who may sign the block after a block, and the votes that stand. */
  after(header: SealedHeader): Authorities;
  /** Whose turn a block was. */
  inTurnSignerOf(header: SealedHeader): Address | undefined;
  /** The latest blocks, as many as are a majority of the signers, with who signed them; the newest first. */
  recentBlocks(
    header: SealedHeader,
  ): readonly { readonly number: bigint; readonly signer: Address }[];
}

/** Where `rpc-clique` and others find the chain. */
export const clique = defineService<Clique>("consensus-clique.clique", {
  hint: "@plinth/plugin-consensus-clique",
});
