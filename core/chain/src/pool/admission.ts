import type { Address, StateReader, Transaction } from "@plinth/core";
import { InvalidTransaction, RejectedTransaction } from "@plinth/core";
import { type Fork, rulesOf } from "@plinth/core/evm";
import type { RejectionReason } from "@plinth/core/pool";
import type { BlobRules } from "@plinth/core/rules";
import {
  floorGas,
  GAS_PER_BLOB,
  HALF_ORDER,
  intrinsicGas,
  isDelegation,
  maxBlobGas,
  upfrontCost,
} from "@plinth/core/rules";

/** The rules that apply to a transaction regardless of its sender. */
export interface AdmissionRules {
  readonly chainId: bigint | undefined;
  /** Of the next block. */
  readonly fork: Fork;
  readonly blobs: BlobRules | undefined;
  readonly blockGasLimit: bigint;
  /** Maximum gas of a transaction; no limit if `undefined`. */
  readonly maxGas: bigint | undefined;
  /**
   * Minimum offered price per gas; it may be below the base fee, in which case the transaction
   * waits.
   */
  readonly minFee: bigint;
  /** Maximum offered price per gas; zero for no limit. */
  readonly maxFee: bigint;
  readonly needsChainId: boolean;
}

/**
 * Throws `RejectedTransaction` unless the price and the chain of a transaction are right: what is verified before its sender
 * is recovered, which is the most expensive check.
 *
 * The order of the checks, here and in `verifyForm`, is part of the contract: of several faults the first is reported.
 */
export function verifyOffer(transaction: Transaction, rules: AdmissionRules): void {
  verifyPrice(transaction, rules);
  verifyChain(transaction, rules);
}

/**
 * Throws `RejectedTransaction` unless a block could include the transaction, regardless of the
 * state, once `verifyOffer` has accepted it.
 */
export function verifyForm(transaction: Transaction, rules: AdmissionRules): void {
  senderOf(transaction);
  if (transaction.type === 3) verifyBlobHashes(transaction);
  verifyFork(transaction, rules);
  verifyGas(transaction, rules);
  if (rules.needsChainId && transaction.chainId === undefined) {
    reject("chain-id-missing", "ChainId is required");
  }
  if (transaction.gasLimit > rules.blockGasLimit) {
    reject("gas-limit", "Transaction gas limit exceeds block gas limit");
  }
  if (rules.maxGas !== undefined && transaction.gasLimit > rules.maxGas) {
    reject("gas-cap", "Transaction gas limit cap exceeded");
  }
}

/** Throws `RejectedTransaction` unless the sender can pay for it and has not used its nonce. */
export function verifySender(transaction: Transaction, state: StateReader): void {
  const { sender, nonce, isUnsigned } = transaction;
  const account = state.findAccount(sender) ?? { nonce: 0n, balance: 0n };
  if (account.balance < upfrontCost(transaction)) {
    reject("upfront-cost", "Upfront cost exceeds account balance");
  }
  if (nonce < account.nonce) reject("nonce-too-low", "Nonce too low");
  const code = state.getCode(sender);
  // EIP-3607; EIP-7702 allows delegated accounts to send.
  if (code.length > 0 && !isDelegation(code) && !isUnsigned) {
    reject("sender-not-authorized", "Sender account not authorized to send transactions");
  }
}

/** The sender of a transaction; throws `RejectedTransaction` if its signature is invalid. */
export function senderOf(transaction: Transaction): Address {
  try {
    return transaction.sender;
  } catch (cause) {
    if (!(cause instanceof InvalidTransaction)) throw cause;
    return reject("invalid-signature", "Invalid signature", cause);
  }
}

function verifyPrice({ gasPrice = 0n, maxFeePerGas }: Transaction, rules: AdmissionRules): void {
  const fee = maxFeePerGas ?? gasPrice;
  if (rules.maxFee > 0n && fee > rules.maxFee) reject("fee-cap", "Transaction fee cap exceeded");
  if (fee < rules.minFee) {
    reject("gas-price-too-low", "Gas price below configured minimum gas price");
  }
}

function verifyChain(transaction: Transaction, rules: AdmissionRules): void {
  const { chainId, s } = transaction;
  if (chainId !== undefined && rules.chainId === undefined) {
    reject("chain-id-unsupported", "ChainId not supported");
  }
  if (chainId !== undefined && chainId !== rules.chainId) reject("wrong-chain", "Wrong chainId");
  if (s > HALF_ORDER && rulesOf(rules.fork).needsLowS) {
    reject("invalid-signature", "Invalid signature");
  }
}

function verifyBlobHashes({ blobVersionedHashes }: Transaction): void {
  if (blobVersionedHashes.length === 0) {
    reject("blob-count", "Invalid blob count (blob transactions must have at least one blob)");
  }
  if (!blobVersionedHashes.every((hash) => hash.startsWith("0x01"))) {
    reject("invalid-blobs", "blobs failed kzg validation");
  }
}

function verifyFork({ type, to, data, authorizationList }: Transaction, { fork }: AdmissionRules) {
  const { transactionTypes, maxInitCodeBytes } = rulesOf(fork);
  if (!transactionTypes.includes(type)) reject("type", "Invalid transaction type");
  if (to === undefined && data.length > maxInitCodeBytes) {
    reject(
      "init-code",
      `transaction.data: ${data.length} bytes of init code, expected at most ${maxInitCodeBytes}`,
    );
  }
  if (type === 4 && authorizationList.length === 0) {
    reject("empty-authorization-list", "transaction.authorizationList: empty");
  }
}

function verifyGas(transaction: Transaction, { fork, blobs }: AdmissionRules): void {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, gasLimit } = transaction;
  if (maxPriorityFeePerGas > maxFeePerGas) {
    reject("max-fee-below-priority", "Max priority fee per gas exceeds max fee per gas");
  }
  const { length: blobCount } = transaction.blobVersionedHashes;
  const isOverCount = blobCount > rulesOf(fork).maxTransactionBlobs;
  if (isOverCount || BigInt(blobCount) * GAS_PER_BLOB > maxBlobGas(blobs)) {
    reject("blob-gas", "Total blob gas too high");
  }
  if (gasLimit < intrinsicGas(transaction, fork) || gasLimit < floorGas(transaction, fork)) {
    reject("intrinsic-gas", "Intrinsic gas exceeds gas limit");
  }
}

function reject(reason: RejectionReason, message: string, cause?: unknown): never {
  throw new RejectedTransaction(reason, message, cause);
}
