import type { Transaction } from "../blocks/transaction.js";
import { GAS_PER_BLOB } from "./blob-fee.js";

/** The maximum cost of a transaction, which its sender's balance must cover. */
export function upfrontCost(transaction: Transaction): bigint {
  const { value, gasLimit, gasPrice = 0n, maxFeePerBlobGas = 0n } = transaction;
  const { blobVersionedHashes, maxFeePerGas = gasPrice } = transaction;
  const blobGas = BigInt(blobVersionedHashes.length) * GAS_PER_BLOB;
  return value + gasLimit * maxFeePerGas + blobGas * maxFeePerBlobGas;
}
