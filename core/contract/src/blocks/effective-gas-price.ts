import type { Transaction } from "./transaction.js";

/**
 * The gas price a transaction pays in a block with this base fee; without one, the maximum it
 * offers.
 */
export function effectiveGasPrice(transaction: Transaction, baseFee: bigint | undefined): bigint {
  const { gasPrice, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = transaction;
  if (gasPrice !== undefined) return gasPrice;
  if (baseFee === undefined) return maxFeePerGas;
  const wanted = baseFee + maxPriorityFeePerGas;
  return wanted < maxFeePerGas ? wanted : maxFeePerGas;
}
