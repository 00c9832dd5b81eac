import type { Account } from "../evm/world-state.js";
import type { Address, Hash } from "../primitives/hex.js";

/** An account as it stands in the account trie. */
export interface StoredAccount extends Account {
  readonly storageRoot: Hash;
}

/** The nodes from a root to a key, as they are stored; they prove against the root what is at the key, or that nothing is. */
export type Proof = readonly Uint8Array[];

/** A storage slot with its proof under the account's storage root. */
export interface SlotProof {
  readonly slot: Hash;
  readonly value: bigint;
  readonly proof: Proof;
}

/** An account, or its absence, with the proof under a state root, and slots of its storage. */
export interface AccountProof {
  /** `undefined` when there is no such account, which the proof shows then. */
  readonly account: StoredAccount | undefined;
  readonly proof: Proof;
  readonly slots: readonly SlotProof[];
}

/** What to prove, and under which root. */
export interface ProofRequest {
  readonly root: Hash;
  readonly address: Address;
  readonly slots: readonly Hash[];
}
