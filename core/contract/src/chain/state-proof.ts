import type { Account } from "../evm/world-state.js";
import type { Address, Hash } from "../primitives/hex.js";

/** An account in the account trie. */
export interface StoredAccount extends Account {
  readonly storageRoot: Hash;
}

/** The encoded nodes from a root to a key; they prove the value at the key, or its absence. */
export type Proof = readonly Uint8Array[];

/** A storage slot with its proof under the account's storage root. */
export interface SlotProof {
  readonly slot: Hash;
  readonly value: bigint;
  readonly proof: Proof;
}

/** An account or its absence, with the proof under a state root, and storage slots with proofs. */
export interface AccountProof {
  /** `undefined` if the account does not exist, which the proof shows. */
  readonly account: StoredAccount | undefined;
  readonly proof: Proof;
  readonly slots: readonly SlotProof[];
}

/** What to prove. */
export interface ProofRequest {
  readonly address: Address;
  readonly slots: readonly Hash[];
}
