import type { BlobRules } from "./blob-schedule.js";

/** The fields of a block that determine the blob fee of the next one. */
export interface BlobFeeParent {
  readonly blobGasUsed?: bigint;
  readonly excessBlobGas?: bigint;
  readonly baseFeePerGas?: bigint;
}

/** EIP-4844: blob gas per blob. */
export const GAS_PER_BLOB = 2n ** 17n;
const MIN_BASE_FEE = 1n;
/** EIP-7918: minimum cost of a blob, in gas. */
const BLOB_BASE_COST = 2n ** 13n;

/** Maximum blob gas of a block; zero before blobs. */
export function maxBlobGas(rules: BlobRules | undefined): bigint {
  return (rules?.max ?? 0n) * GAS_PER_BLOB;
}

/** The price of blob gas in a block with that excess (EIP-4844); zero before blobs. */
export function blobBaseFee(excessBlobGas: bigint, rules: BlobRules | undefined): bigint {
  return rules === undefined ? 0n : fakeExponential(excessBlobGas, rules.updateFraction);
}

/** The excess blob gas of the next block, to which those rules apply (EIP-4844, EIP-7918). */
export function nextExcessBlobGas(parent: BlobFeeParent, rules: BlobRules | undefined): bigint {
  const { blobGasUsed: used = 0n, excessBlobGas: excess = 0n, baseFeePerGas = 0n } = parent;
  const target = (rules?.target ?? 0n) * GAS_PER_BLOB;
  if (rules === undefined || excess + used < target) return 0n;
  const isReserved =
    rules.hasReservePrice &&
    BLOB_BASE_COST * baseFeePerGas > GAS_PER_BLOB * blobBaseFee(excess, rules);
  if (isReserved) return excess + (used * (rules.max - rules.target)) / rules.max;
  return excess + used - target;
}

/** Approximates `e ** (numerator / denominator)` as specified by EIP-4844. */
function fakeExponential(numerator: bigint, denominator: bigint): bigint {
  let sum = 0n;
  let term = MIN_BASE_FEE * denominator;
  for (let index = 1n; term > 0n; index++) {
    sum += term;
    term = (term * numerator) / (denominator * index);
  }
  return sum / denominator;
}
