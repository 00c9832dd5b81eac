import type { Address } from "@plinth/core";
import { findPrivateSender, type PrivateTransaction } from "./private-transaction.js";

/** Why a private transaction is invalid, in the order of the checks. */
export type PrivateProblem =
  | "value not zero"
  | "wrong chain id"
  | "chain id not supported"
  | "invalid signature"
  | "nonce too low"
  | "nonce too high";

/** Context for the validation of a private transaction. */
export interface PrivateContext {
  readonly chainId: bigint | undefined;
  /** The next nonce of a sender in the group. */
  nonceOf(sender: Address): bigint;
  /** Whether a nonce above the next one is accepted and waits for others. */
  readonly allowsFuture: boolean;
}

/** Validates a private transaction; returns its sender or the problem. */
export function verifyPrivateTransaction(
  transaction: PrivateTransaction,
  context: PrivateContext,
): { readonly sender: Address } | { readonly problem: PrivateProblem; readonly sender?: Address } {
  const { value, chainId, nonce } = transaction;
  if (value !== 0n) return { problem: "value not zero" };
  if (chainId !== undefined && context.chainId === undefined) {
    return { problem: "chain id not supported" };
  }
  if (chainId !== undefined && chainId !== context.chainId) return { problem: "wrong chain id" };
  const sender = findPrivateSender(transaction);
  if (sender === undefined) return { problem: "invalid signature" };
  const next = context.nonceOf(sender);
  if (nonce < next) return { problem: "nonce too low", sender };
  if (nonce > next && !context.allowsFuture) return { problem: "nonce too high", sender };
  return { sender };
}
