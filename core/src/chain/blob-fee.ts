import { FORKS, type Fork } from "../evm/fork.js";

/** How blobs are counted and priced under a fork, in blobs. */
interface BlobRules {
  readonly target: bigint;
  readonly max: bigint;
  readonly updateFraction: bigint;
}

/** What a block tells about the blob fees of the next one. */
export interface BlobFeeParent {
  readonly blobGasUsed?: bigint;
  readonly excessBlobGas?: bigint;
  readonly baseFeePerGas?: bigint;
}

const GAS_PER_BLOB = 2n ** 17n;
const MIN_BASE_FEE = 1n;
/** EIP-7918: what a blob costs at least, in gas. */
const BLOB_BASE_COST = 2n ** 13n;

/** EIP-4844 and EIP-7691. */
const CANCUN: BlobRules = { target: 3n, max: 6n, updateFraction: 3_338_477n };
const PRAGUE: BlobRules = { target: 6n, max: 9n, updateFraction: 5_007_716n };

/** Most blob gas of a block; zero before blobs. */
export function maxBlobGas(fork: Fork): bigint {
  return (findRules(fork)?.max ?? 0n) * GAS_PER_BLOB;
}

/** The price of blob gas in a block with that excess (EIP-4844); zero before blobs. */
export function blobBaseFee(excessBlobGas: bigint, fork: Fork): bigint {
  const rules = findRules(fork);
  return rules === undefined ? 0n : fakeExponential(excessBlobGas, rules.updateFraction);
}

/** The excess of the block after this one, which is under that fork (EIP-4844, EIP-7918). */
export function nextExcessBlobGas(parent: BlobFeeParent, fork: Fork): bigint {
  const rules = findRules(fork);
  const { blobGasUsed: used = 0n, excessBlobGas: excess = 0n, baseFeePerGas = 0n } = parent;
  const target = (rules?.target ?? 0n) * GAS_PER_BLOB;
  if (rules === undefined || excess + used < target) return 0n;
  const isReserved =
    isAtLeast(fork, "osaka") &&
    BLOB_BASE_COST * baseFeePerGas > GAS_PER_BLOB * blobBaseFee(excess, fork);
  if (isReserved) return excess + (used * (rules.max - rules.target)) / rules.max;
  return excess + used - target;
}

function findRules(fork: Fork): BlobRules | undefined {
  if (!isAtLeast(fork, "cancun")) return undefined;
  return isAtLeast(fork, "prague") ? PRAGUE : CANCUN;
}

function isAtLeast(fork: Fork, other: Fork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(other);
}

/** Approximates `e ** (numerator / denominator)` the way EIP-4844 writes it down. */
function fakeExponential(numerator: bigint, denominator: bigint): bigint {
  let sum = 0n;
  let term = MIN_BASE_FEE * denominator;
  for (let index = 1n; term > 0n; index++) {
    sum += term;
    term = (term * numerator) / (denominator * index);
  }
  return sum / denominator;
}
