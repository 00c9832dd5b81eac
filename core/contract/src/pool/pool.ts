import type { Transaction } from "../blocks/transaction.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { Explanation } from "./explanation.js";

/** The origin of a transaction: submitted to this node, or sent by a peer. */
export type TransactionOrigin = "local" | "remote";

/** A pooled transaction. */
export interface PoolEntry {
  readonly transaction: Transaction;
  readonly origin: TransactionOrigin;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  /** The network encoding: with its blobs, if it has some and they are known. */
  readonly networkForm: Uint8Array;
  /**
   * Whether it is executable: no transaction of its sender is missing or set aside before it, nor
   * is it set aside itself.
   */
  readonly isReady: boolean;
  /** Why the node does not try it again by itself; it does by default. */
  readonly setAside?: string;
}

/** How a transaction enters the pool. */
export interface SubmitSettings {
  /** The signature is then not verified: the caller vouches for it. */
  readonly sender?: Address | undefined;
  /** Submitted to this node by default. */
  readonly origin?: TransactionOrigin;
}

/** The minimum fees for transactions without priority. */
export interface PriceFloor {
  /** Minimum effective gas price. */
  readonly minGasPrice: bigint;
  /** Minimum priority fee. */
  readonly minPriorityFee: bigint;
}

/** The pool as running code sees it. */
export interface Pool {
  /**
   * Adds a transaction; rejects with `InvalidTransaction` or `RejectedTransaction`.
   *
   * When it resolves, the transaction survives a restart.
   */
  submit(raw: Uint8Array, settings?: SubmitSettings): Promise<Transaction>;
  /** Removes a transaction. */
  remove(hash: Hash): Promise<void>;
  find(hash: Hash): Transaction | undefined;
  /** The network encoding: with the sidecar, if it has blobs. */
  findNetworkForm(hash: Hash): Uint8Array | undefined;
  all(): readonly Transaction[];
  /** The same with the origin of each, in that order. */
  entries(): readonly PoolEntry[];
  /** The next nonce of a sender, including pending transactions. */
  nextNonce(sender: Address): bigint;
  /** The fate of a transaction, or what it waits for. */
  explain(hash: Hash): Explanation;
  /** Maximum number of transactions; `undefined` if the limit is in bytes. */
  readonly maxSize: number | undefined;
  /** The minimum fees of a transaction without priority to be included in a block of this node. */
  readonly floor: PriceFloor;
}
