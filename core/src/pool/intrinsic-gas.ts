import { intrinsicGas as intrinsicGasUnder, type Priced } from "../chain/intrinsic-gas.js";

/**
 * What a transaction costs before its code runs.
 *
 * As of Shanghai: before it, a creation costs 2 gas less per word of its code. The floor that Prague sets
 * for transactions with much data (EIP-7623) is not part of it.
 */
export function intrinsicGas(transaction: Priced): bigint {
  return intrinsicGasUnder(transaction, "shanghai");
}
