import { InvalidTransaction } from "../blocks/errors.js";
import type { Transaction } from "../blocks/transaction.js";
import type { BlockContext } from "../evm/evm.js";
import { rulesOf } from "../evm/forks/rules-of.js";
import type { StateReader } from "../evm/world-state.js";
import { isDelegation } from "./delegation.js";
import { upfrontCost } from "./upfront-cost.js";

/** The environment a transaction is about to run in. */
export interface SenderContext {
  readonly block: Pick<BlockContext, "fork" | "baseFeePerGas" | "blobBaseFee">;
  readonly state: StateReader;
}

/** EIP-2681: an account with this nonce cannot send transactions. */
const MAX_NONCE = 2n ** 64n - 1n;

/**
 * Throws `InvalidTransaction` unless the sender may send the transaction now and can pay for it.
 *
 * Together with `verifyTransaction` this covers all validity rules, so that any error an EVM throws
 * afterwards is a fault of the node.
 */
export function verifySender(transaction: Transaction, { block, state }: SenderContext): void {
  const { sender, nonce } = transaction;
  const account = state.findAccount(sender) ?? { nonce: 0n, balance: 0n };
  if (nonce !== account.nonce || nonce === MAX_NONCE) {
    throw invalid("nonce", `${nonce}, expected ${account.nonce} and less than ${MAX_NONCE}`);
  }
  verifyNoContract(transaction, { block, state });
  verifyPrices(transaction, block);
  const cost = upfrontCost(transaction);
  if (account.balance < cost) {
    throw invalid("sender", `has ${account.balance} wei, the transaction may cost ${cost}`);
  }
}

/** EIP-3607; EIP-7702 allows delegated accounts to send. */
function verifyNoContract(
  { sender, isUnsigned }: Transaction,
  { block, state }: SenderContext,
): void {
  if (isUnsigned) return;
  const code = state.getCode(sender);
  if (code.length === 0 || (isDelegation(code) && rulesOf(block.fork).hasDelegations)) return;
  throw invalid("sender", `${sender} is a contract`);
}

function verifyPrices(transaction: Transaction, block: SenderContext["block"]): void {
  const { baseFeePerGas = 0n, blobBaseFee = 0n } = block;
  const { gasPrice = 0n, maxFeePerGas = gasPrice, maxFeePerBlobGas = 0n } = transaction;
  if (maxFeePerGas < baseFeePerGas) {
    throw invalid("maxFeePerGas", `${maxFeePerGas}, the base fee is ${baseFeePerGas}`);
  }
  if (transaction.type === 3 && maxFeePerBlobGas < blobBaseFee) {
    throw invalid("maxFeePerBlobGas", `${maxFeePerBlobGas}, the blob base fee is ${blobBaseFee}`);
  }
}

function invalid(field: string, problem: string): InvalidTransaction {
  return new InvalidTransaction({ message: `transaction.${field}: ${problem}` });
}
