import { InvalidTransaction } from "../blocks/errors.js";
import type { Transaction } from "../blocks/transaction.js";
import type { StateReader } from "../evm/world-state.js";
import type { Address } from "../primitives/hex.js";
import { RejectedTransaction } from "./errors.js";
import { intrinsicGas } from "./intrinsic-gas.js";

/** EIP-4844. */
const GAS_PER_BLOB = 131_072n;

/** What a transaction is held against. */
export interface AdmissionRules {
  readonly chainId: bigint | undefined;
  readonly blockGasLimit: bigint;
  /** The least it must offer per gas; it may be below the base fee, and waits then. */
  readonly minFee: bigint;
}

/** Throws `RejectedTransaction` unless the transaction could stand in a block one day. */
export function verifyAdmission(
  transaction: Transaction,
  state: StateReader,
  rules: AdmissionRules & { readonly maxNonceGap: number },
): void {
  const { chainId, nonce, gasLimit, gasPrice = 0n, maxPriorityFeePerGas = 0n } = transaction;
  const maxFee = transaction.maxFeePerGas ?? gasPrice;
  const reject = (...reason: ConstructorParameters<typeof RejectedTransaction>) => {
    throw new RejectedTransaction(...reason);
  };
  if (chainId !== undefined && chainId !== rules.chainId) {
    const isSupported = rules.chainId !== undefined;
    reject("wrong-chain", isSupported ? "Wrong chainId" : "ChainId not supported");
  }
  if (gasLimit > rules.blockGasLimit) {
    reject("gas-limit", "Transaction gas limit exceeds block gas limit");
  }
  if (gasLimit < intrinsicGas(transaction)) {
    reject("intrinsic-gas", "Intrinsic gas exceeds gas limit");
  }
  if (maxPriorityFeePerGas > maxFee) {
    reject("max-fee-below-priority", "Max priority fee per gas exceeds max fee per gas");
  }
  if (maxFee < rules.minFee) {
    reject("gas-price-too-low", "Gas price below configured minimum gas price");
  }
  const account = state.findAccount(senderOf(transaction)) ?? { nonce: 0n, balance: 0n };
  if (nonce < account.nonce) reject("nonce-too-low", "Nonce too low");
  if (nonce > account.nonce + BigInt(rules.maxNonceGap)) {
    reject("nonce-too-far", "Transaction nonce is too distant from current sender nonce");
  }
  if (account.balance < upfrontCost(transaction, maxFee)) {
    reject("upfront-cost", "Upfront cost exceeds account balance");
  }
}

/** Recovering the sender is what costs most here, so it comes after what the fields alone tell. */
function senderOf(transaction: Transaction): Address {
  try {
    return transaction.sender;
  } catch (cause) {
    if (!(cause instanceof InvalidTransaction)) throw cause;
    throw new RejectedTransaction("invalid-signature", "Invalid signature", cause);
  }
}

function upfrontCost(transaction: Transaction, maxFee: bigint): bigint {
  const { value, gasLimit, blobVersionedHashes, maxFeePerBlobGas = 0n } = transaction;
  const blobGas = BigInt(blobVersionedHashes.length) * GAS_PER_BLOB;
  return value + gasLimit * maxFee + blobGas * maxFeePerBlobGas;
}
