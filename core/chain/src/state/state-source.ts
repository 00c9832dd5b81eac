import type { Hash } from "@plinth/core";
import type { Lane, Mutex } from "@plinth/core/async";
import type { StoredAccount } from "@plinth/core/chain";
import type { NodeReader } from "./trie.js";

/** An account by its trie key. */
export interface KeyedAccount {
  readonly key: Uint8Array;
  readonly stored: StoredAccount;
}

/** A slot, as its source returned it. */
export interface StoredSlot {
  readonly value: bigint;
}

/** A new value of a storage slot. */
export interface SlotChange {
  /** `undefined` if it is unknown: then it is not stored. */
  readonly slot: Hash | undefined;
  /** The key in the storage trie. */
  readonly key: Uint8Array;
  /** As its source returned it. */
  readonly before: StoredSlot;
  readonly value: bigint;
}

/** A slot of storage that is empty; its source was not read. */
export const EMPTY_SLOT: StoredSlot = { value: 0n };

/** A value was read that is somewhere else, and was not fetched yet. */
export class NotFetched extends Error {}

/** A stored state: values by their trie keys, and its tries. Reading throws `NotFetched` for values that are missing. */
export interface StateSource {
  readonly root: Hash;
  findAccount(key: Uint8Array): StoredAccount | undefined;
  /** The value of a slot of an account with storage; zero if there is none. */
  findSlot(account: KeyedAccount, key: Uint8Array): StoredSlot;
  /** Throws if there is no code with this hash. */
  getCode(hash: Hash): Uint8Array;
  /** How often the storage of an account was cleared; zero where that makes no difference. */
  incarnationOf(key: Uint8Array, stored: StoredAccount | undefined): number;
  /**
   * The slot to write with the first change of an account whose other slots are somewhere else, so that its storage is not
   * empty; `undefined` if the whole state is here.
   */
  readonly markOf?: ((account: StoredAccount) => SlotChange | undefined) | undefined;
  /** Opens the tries; they read a consistent state until they are disposed of. */
  openTries(): StateTries;
  /** Makes the tries ready, in steps: opening them takes no time until the result is disposed of. */
  prepareTries(pace: Pace): Promise<Disposable>;
}

/** How work that may take long shares the event loop. */
export interface Pace {
  readonly lane: Lane;
  /** Called after every step; throws to abort the work. */
  readonly verify?: (() => void) | undefined;
  /** Long work waits for its turn here. */
  readonly queue?: Mutex | undefined;
}

/** The account trie of a state and its storage tries. */
export interface StateTries extends Disposable {
  readonly accounts: NodeReader;
  storageOf(accountKey: Uint8Array): NodeReader;
}
