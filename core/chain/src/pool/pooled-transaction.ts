import type { Address, Hash, Transaction } from "@plinth/core";
import type { TransactionOrigin } from "@plinth/core/pool";

/** A transaction in the pool: what it pays, whatever its type, and how it came here. */
export interface PooledTransaction {
  readonly transaction: Transaction;
  readonly sender: Address;
  readonly hash: Hash;
  readonly nonce: bigint;
  /** The most it pays per gas; the gas price of old transactions. */
  readonly maxFeePerGas: bigint;
  /** The most of it that goes to the block's maker; the gas price of old transactions. */
  readonly maxPriorityFeePerGas: bigint;
  readonly origin: TransactionOrigin;
  /** Goes before all others, whatever they pay, and is held to no price floor but the chain's. */
  readonly hasPriority: boolean;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  /** The later it came, the higher. */
  readonly order: number;
  /** About what it takes of the memory. */
  readonly sizeBytes: number;
  /** The form that nodes send each other: with its blobs, where it has some and they are known. */
  readonly networkForm: Uint8Array;
}

/** What is known of a transaction when it comes. */
export interface Arrival {
  readonly transaction: Transaction;
  readonly networkForm: Uint8Array;
  readonly origin: TransactionOrigin;
  readonly hasPriority: boolean;
  readonly addedAt: number;
  readonly order: number;
}

/** What a transaction takes beside its bytes, in objects. */
const OVERHEAD_BYTES = 1024;

/** Adds the fields that the pool reads to a transaction. */
export function toPooled(arrival: Arrival): PooledTransaction {
  const { transaction, networkForm } = arrival;
  const { hash, nonce, sender, gasPrice = 0n } = transaction;
  return {
    ...arrival,
    sender,
    hash,
    nonce,
    maxFeePerGas: transaction.maxFeePerGas ?? gasPrice,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? gasPrice,
    sizeBytes: OVERHEAD_BYTES + networkForm.length,
  };
}
