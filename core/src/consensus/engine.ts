import type { Block } from "../blocks/block.js";
import type { Header, SealedHeader } from "../blocks/header.js";
import type { Fork } from "../evm/fork.js";
import type { WorldState } from "../evm/world-state.js";
import type { Address, Hash } from "../primitives/hex.js";

/** A block that has run but for what the engine does at its end. */
export interface Finalization {
  readonly block: Block;
  readonly fork: Fork;
  readonly state: WorldState;
}

/** A header with the difficulty of the whole chain up to it. */
export interface WeighedHeader {
  readonly header: SealedHeader;
  readonly totalDifficulty: bigint;
}

/** The rules that a network agrees by; only the engine knows the hash of a block. */
export interface ConsensusEngine {
  /** Pure and cheap: it is asked for every header that enters the node. */
  hashHeader(header: Header): Hash;
  /** Who made the block. */
  author(header: Header): Address;
  /** Who gets the fees. */
  feeRecipient(header: Header): Address;
  /** Throws `InvalidBlock` when the header breaks a rule. */
  verifyHeader(header: SealedHeader, parent: SealedHeader): void | Promise<void>;
  /** Changes the state after the last transaction, deterministically: rewards, withdrawals. */
  finalize?(finalization: Finalization): void;
  /** Is the candidate the better head? A strict order; the heavier chain when left out. */
  prefers?(candidate: WeighedHeader, head: WeighedHeader): boolean;
}
