import type { Address, Hash, Transaction } from "@plinth/core";
import type { TransactionOrigin } from "@plinth/core/pool";

/** A pooled transaction: its fees, whatever its type, and its origin. */
export interface PooledTransaction {
  readonly transaction: Transaction;
  readonly sender: Address;
  readonly hash: Hash;
  readonly nonce: bigint;
  /** Maximum price per gas; the gas price of legacy transactions. */
  readonly maxFeePerGas: bigint;
  /** Maximum priority fee; the gas price of legacy transactions. */
  readonly maxPriorityFeePerGas: bigint;
  readonly origin: TransactionOrigin;
  /**
   * Takes precedence over all others, whatever they pay, and has no minimum price but the chain's.
   */
  readonly hasPriority: boolean;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  /** Increases with arrival. */
  readonly order: number;
  /** Approximate memory. */
  readonly sizeBytes: number;
  /** The network encoding: with its blobs, if it has some and they are known. */
  readonly networkForm: Uint8Array;
}

/** The properties of an arriving transaction. */
export interface Arrival {
  readonly transaction: Transaction;
  readonly networkForm: Uint8Array;
  readonly origin: TransactionOrigin;
  readonly hasPriority: boolean;
  readonly addedAt: number;
  readonly order: number;
}

/** Memory of a transaction besides its bytes, in objects. */
const OVERHEAD_BYTES = 1024;

/** Adds the fields that the pool reads to a transaction. */
export function toPooled(arrival: Arrival): PooledTransaction {
  const { transaction, networkForm, origin, hasPriority, addedAt, order } = arrival;
  const { hash, nonce, sender, gasPrice = 0n } = transaction;
  return {
    transaction,
    networkForm,
    origin,
    hasPriority,
    addedAt,
    order,
    sender,
    hash,
    nonce,
    maxFeePerGas: transaction.maxFeePerGas ?? gasPrice,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? gasPrice,
    sizeBytes: OVERHEAD_BYTES + networkForm.length,
  };
}
