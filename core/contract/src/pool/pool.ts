import type { Transaction } from "../blocks/transaction.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { Explanation } from "./explanation.js";

/** Where a transaction came from: given to this node itself, or sent by a peer. */
export type TransactionOrigin = "local" | "remote";

/** A transaction as it stands in the pool. */
export interface PoolEntry {
  readonly transaction: Transaction;
  readonly origin: TransactionOrigin;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  /** The form that nodes send each other: with its blobs, where it has some and they are known. */
  readonly networkForm: Uint8Array;
  /** Whether no transaction of its sender is missing or set aside before it, nor itself set aside. */
  readonly isReady: boolean;
  /** Why the node does not try it again by itself; it does by default. */
  readonly setAside?: string;
}

/** How a transaction comes to the pool. */
export interface SubmitSettings {
  /** The signature is not verified then: the caller vouches for it. */
  readonly sender?: Address | undefined;
  /** Given to this node itself by default. */
  readonly origin?: TransactionOrigin;
}

/** What this node asks of those without priority. */
export interface PriceFloor {
  /** What those without priority pay at least per gas, all in all. */
  readonly minGasPrice: bigint;
  /** What of it goes to the block's maker at least. */
  readonly minPriorityFee: bigint;
}

/** What running code sees of the pool. */
export interface Pool {
  /**
   * Takes a transaction; rejects with `InvalidTransaction` or `RejectedTransaction`.
   *
   * When it resolves the transaction outlives the process.
   */
  submit(raw: Uint8Array, settings?: SubmitSettings): Promise<Transaction>;
  /** Takes a transaction out. */
  remove(hash: Hash): Promise<void>;
  find(hash: Hash): Transaction | undefined;
  /** The bytes that nodes send each other: with the sidecar, where it has blobs. */
  findNetworkForm(hash: Hash): Uint8Array | undefined;
  all(): readonly Transaction[];
  /** The same with how each came here, in that order. */
  entries(): readonly PoolEntry[];
  /** The nonce of a sender's next transaction, with those that wait. */
  nextNonce(sender: Address): bigint;
  /** What became of a transaction, or what it waits for. */
  explain(hash: Hash): Explanation;
  /** How many transactions it holds at most; `undefined` where it counts bytes. */
  readonly maxSize: number | undefined;
  /** What a transaction without priority must pay to go into a block of this node. */
  readonly floor: PriceFloor;
}
