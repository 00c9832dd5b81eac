import type { Transaction } from "./transaction.js";

/** What a transaction pays per gas in a block with this base fee; what it offers while it waits. */
export function effectiveGasPrice(transaction: Transaction, baseFee: bigint | undefined): bigint {
  const { gasPrice, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = transaction;
  if (gasPrice !== undefined) return gasPrice;
  if (baseFee === undefined) return maxFeePerGas;
  const wanted = baseFee + maxPriorityFeePerGas;
  return wanted < maxFeePerGas ? wanted : maxFeePerGas;
}
