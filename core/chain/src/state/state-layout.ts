import type { Hash, SealedHeader } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import type {
  ChangedParts,
  FetchedValues,
  OldestStates,
  StatePoint,
  StoredAccount,
} from "@plinth/core/chain";
import type { WriteBatch } from "@plinth/core/storage";
import type { StateUpdate } from "./state-root.js";
import type { StateSource } from "./state-source.js";

/** A new state, and what becomes of the canonical chain. */
export interface StateCommit {
  /** The state after a block that was executed. */
  readonly executed?: { readonly header: SealedHeader; readonly state: StateUpdate } | undefined;
  /** Omitted if the head stays. */
  readonly moved?: HeadMove | undefined;
}

/** A change of the head. */
export interface HeadMove {
  readonly head: SealedHeader;
  /** Latest first. */
  readonly removed: readonly SealedHeader[];
  /** Earliest first. */
  readonly added: readonly SealedHeader[];
}

/** An entry that no state needs. */
export interface UnneededEntry {
  readonly table: string;
  readonly key: Uint8Array;
}

/** An account that a block changed, by its key in the account trie. */
export interface KeyedChange {
  readonly key: Uint8Array;
  readonly before: StoredAccount | undefined;
  readonly after: StoredAccount | undefined;
  /** Whether all slots that it had before were removed. */
  readonly isCleared: boolean;
  /** By their keys in the storage trie. */
  readonly slots: readonly { readonly key: Uint8Array; readonly value: bigint }[];
}

/** How states are stored. */
export interface StateLayout {
  /** The first blocks whose state is kept. */
  oldest(): OldestStates;
  /** Whether an earlier state can be written again. */
  readonly canRestore: boolean;
  /** Writes the tries of the head again from its values, where both are stored. */
  rebuildTries(head: SealedHeader, signal?: AbortSignal): Promise<void>;
  /** Whether the state after a block is available. */
  has(at: StatePoint): boolean;
  /** Throws `StatePruned` if the state after a block is no longer kept. */
  verifyKept(at: StatePoint): void;
  /** The state after a block; it, or reading from it, throws if it is not available. */
  open(at: StatePoint, getCode: (hash: Hash) => Uint8Array): StateSource;
  /** What a block changed; throws `StatePruned` if it is not known. */
  changesOf(block: SealedHeader, what?: ChangedParts): IterableIterator<KeyedChange>;
  /** Writes values that were fetched; `undefined` if the whole state is here. */
  readonly addFetched?: ((values: FetchedValues) => Promise<void>) | undefined;
  /** Keeps the nodes of a new state in memory. */
  add(state: StateUpdate): void;
  /** Some entries that are not needed with a new head; they are removed before its commit is staged. */
  findUnneeded(moved: HeadMove): Promise<readonly UnneededEntry[]>;
  /** Adds a commit to a batch, in steps; call the returned function after the batch is written. */
  stage(batch: Pick<WriteBatch, "put" | "delete">, commit: StateCommit): Steps<() => void>;
}
