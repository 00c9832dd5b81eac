import type { TransactionType } from "../blocks/envelope.js";
import { InvalidTransaction } from "../blocks/errors.js";
import type { Transaction } from "../blocks/transaction.js";
import { type Fork, isAtLeast } from "../evm/fork.js";
import { floorGas, intrinsicGas } from "./intrinsic-gas.js";

/** The rules that a transaction is held against. */
export interface TransactionRules {
  readonly fork: Fork;
  /** Any when left out. */
  readonly chainId?: bigint;
  /** The most gas that it may have; any when `undefined`. */
  readonly maxGas: bigint | undefined;
}

/** The fork that brought each type. */
const TYPES: readonly Fork[] = ["frontier", "berlin", "london", "cancun", "prague"];
/** SEC 2, section 2.4.1: half of the curve's order; EIP-2 allows only one of the two signatures. */
export const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
/** EIP-3860: the most bytes of init code, from Shanghai on. */
export const MAX_INIT_CODE_BYTES = 49_152;
/** EIP-7594: the most blobs of a transaction, from Osaka on. */
export const MAX_BLOBS = 6;
/** EIP-4844: hashes of blobs begin with this byte. */
const VERSIONED_HASH = "0x01";

/** Throws `InvalidTransaction` when a fork does not allow the transaction, whatever the state is. */
export function verifyTransaction(transaction: Transaction, rules: TransactionRules): void {
  verifySignature(transaction, rules);
  verifyGas(transaction, rules);
  verifyFees(transaction);
  if (transaction.type === 3) verifyBlobs(transaction, rules.fork);
  if (transaction.type === 4 && transaction.authorizationList.length === 0) {
    throw refusal("authorizationList", "empty");
  }
}

/** The types of transactions that a fork knows. */
export function typesUnder(fork: Fork): readonly TransactionType[] {
  return TYPES.flatMap((since, type) => (isAtLeast(fork, since) ? [type as TransactionType] : []));
}

function verifySignature({ type, chainId, s }: Transaction, { fork, ...rules }: TransactionRules) {
  if (!typesUnder(fork).includes(type)) {
    throw refusal("type", `${type} is not there under ${fork}`);
  }
  if (type === 0 && chainId !== undefined && !isAtLeast(fork, "spuriousDragon")) {
    throw refusal("v", `has a chain id, which ${fork} does not know`);
  }
  if (chainId !== undefined && rules.chainId !== undefined && chainId !== rules.chainId) {
    throw refusal("chainId", `${chainId}, expected ${rules.chainId}`);
  }
  if (s > HALF_ORDER && isAtLeast(fork, "homestead")) {
    throw refusal("s", "above half of the curve's order");
  }
}

function verifyGas(transaction: Transaction, { fork, maxGas }: TransactionRules): void {
  const { gasLimit, data, to } = transaction;
  const least = [intrinsicGas(transaction, fork), floorGas(transaction, fork)];
  if (least.some((gas) => gasLimit < gas)) {
    throw refusal("gasLimit", `${gasLimit}, expected at least ${least.join(" and ")}`);
  }
  if (maxGas !== undefined && gasLimit > maxGas) {
    throw refusal("gasLimit", `${gasLimit}, expected at most ${maxGas}`);
  }
  if (to === undefined && data.length > MAX_INIT_CODE_BYTES && isAtLeast(fork, "shanghai")) {
    throw refusal(
      "data",
      `${data.length} bytes of init code, expected at most ${MAX_INIT_CODE_BYTES}`,
    );
  }
}

function verifyFees({ maxFeePerGas = 0n, maxPriorityFeePerGas = 0n }: Transaction): void {
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw refusal("maxPriorityFeePerGas", "more than maxFeePerGas");
  }
}

function verifyBlobs({ blobVersionedHashes: hashes }: Transaction, fork: Fork): void {
  if (hashes.length === 0) throw refusal("blobVersionedHashes", "none");
  if (hashes.length > MAX_BLOBS && isAtLeast(fork, "osaka")) {
    throw refusal("blobVersionedHashes", `${hashes.length}, expected at most ${MAX_BLOBS}`);
  }
  if (!hashes.every((hash) => hash.startsWith(VERSIONED_HASH))) {
    throw refusal("blobVersionedHashes", "of another version than 1");
  }
}

function refusal(field: string, problem: string): InvalidTransaction {
  return new InvalidTransaction({ message: `transaction.${field}: ${problem}` });
}
