import { InvalidTransaction } from "../blocks/errors.js";
import type { Transaction } from "../blocks/transaction.js";
import type { Fork } from "../evm/fork.js";
import type { RuleSet } from "../evm/forks/rule-set.js";
import { rulesOf } from "../evm/forks/rules-of.js";
import { floorGas, intrinsicGas } from "./intrinsic-gas.js";

/** The rules to validate a transaction with. */
export interface TransactionRules {
  readonly fork: Fork;
  /** Any chain id by default. */
  readonly chainId?: bigint;
  /** Maximum gas; no limit if `undefined`. */
  readonly maxGas: bigint | undefined;
}

/** SEC 2, section 2.4.1: half of the curve order; EIP-2 allows only one of the two signatures. */
export const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
/** EIP-4844: first byte of a versioned hash. */
const VERSIONED_HASH = "0x01";

/**
 * Throws `InvalidTransaction` if a fork does not allow the transaction, regardless of the state.
 */
export function verifyTransaction(transaction: Transaction, rules: TransactionRules): void {
  verifySignature(transaction, rules);
  verifyGas(transaction, rules);
  verifyFees(transaction);
  if (transaction.type === 3) verifyBlobs(transaction, rulesOf(rules.fork));
  if (transaction.type === 4 && transaction.authorizationList.length === 0) {
    throw refusal("authorizationList", "empty");
  }
}

function verifySignature({ type, chainId, s }: Transaction, { fork, ...rules }: TransactionRules) {
  const { transactionTypes, hasChainIds, needsLowS } = rulesOf(fork);
  if (!transactionTypes.includes(type)) {
    throw refusal("type", `${type} does not exist under ${fork}`);
  }
  if (type === 0 && chainId !== undefined && !hasChainIds) {
    throw refusal("v", `has a chain id, which ${fork} does not support`);
  }
  if (chainId !== undefined && rules.chainId !== undefined && chainId !== rules.chainId) {
    throw refusal("chainId", `${chainId}, expected ${rules.chainId}`);
  }
  if (s > HALF_ORDER && needsLowS) {
    throw refusal("s", "above half of the curve order");
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
  const { maxInitCodeBytes } = rulesOf(fork);
  if (to === undefined && data.length > maxInitCodeBytes) {
    throw refusal(
      "data",
      `${data.length} bytes of init code, expected at most ${maxInitCodeBytes}`,
    );
  }
}

function verifyFees({ maxFeePerGas = 0n, maxPriorityFeePerGas = 0n }: Transaction): void {
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw refusal("maxPriorityFeePerGas", "more than maxFeePerGas");
  }
}

function verifyBlobs(
  { blobVersionedHashes: hashes }: Transaction,
  { maxTransactionBlobs }: RuleSet,
): void {
  if (hashes.length === 0) throw refusal("blobVersionedHashes", "none");
  if (hashes.length > maxTransactionBlobs) {
    throw refusal(
      "blobVersionedHashes",
      `${hashes.length}, expected at most ${maxTransactionBlobs}`,
    );
  }
  if (!hashes.every((hash) => hash.startsWith(VERSIONED_HASH))) {
    throw refusal("blobVersionedHashes", "version is not 1");
  }
}

function refusal(field: string, problem: string): InvalidTransaction {
  return new InvalidTransaction({ message: `transaction.${field}: ${problem}` });
}
