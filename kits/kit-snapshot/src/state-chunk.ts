import type { Address, Hash } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";

/** A slot of an account in a chunk. */
export interface ChunkSlot {
  /** Its key in the storage trie. */
  readonly key: Uint8Array;
  /** Its number, if known. */
  readonly slot?: Hash;
  readonly value: bigint;
}

/** An account in a chunk, with those of its slots that are in the chunk. */
export interface ChunkAccount {
  /** Its key in the account trie. */
  readonly key: Uint8Array;
  readonly address?: Address;
  readonly account: StoredAccount;
  readonly slots: readonly ChunkSlot[];
}

/** Consecutive accounts of a state, proven. */
export interface StateChunk {
  /** One account if the chunk has a part of its storage only. */
  readonly accounts: readonly ChunkAccount[];
}
