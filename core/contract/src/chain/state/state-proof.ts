import type { Account } from "../../evm/world-state.js";
import type { Address, Hash } from "../../primitives/hex.js";

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

/** An entry of a trie. */
export interface RangeEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Consecutive entries of a trie, and the nodes that prove them. */
export interface ProvenRange {
  readonly entries: readonly RangeEntry[];
  /** The nodes on the paths to the origin and to the last entry, each once. */
  readonly proof: readonly Uint8Array[];
  /** Whether the trie has entries after the last one. */
  readonly hasMore: boolean;
}

/** Where a range starts, and where it ends at the latest. */
export interface RangeLimits {
  /** The lowest key that the range may contain; an entry with it need not exist. */
  readonly origin: Uint8Array;
  /** The range ends with the first entry at or above this key. */
  readonly end?: Uint8Array;
  /** The range ends with the entry that reaches this size. */
  readonly maxBytes: number;
  /** The size of an entry; that of its key and value by default. */
  readonly sizeOf?: (entry: RangeEntry) => number;
}

/** The tries of a state by ranges and nodes, with other work in between. */
export interface StateRanges extends Disposable {
  accounts(limits: RangeLimits): Promise<ProvenRange>;
  /** Slots of the account with a key; `undefined` if it does not exist. */
  slots(account: Uint8Array, limits: RangeLimits): Promise<ProvenRange | undefined>;
  /** The encoded node at a path of nibbles, of the account trie or of a storage trie. */
  findNode(path: Uint8Array, account?: Uint8Array): Uint8Array | undefined;
}
