import { PlinthError } from "../kernel/errors.js";

/** Why a transaction was not taken. */
export type RejectionReason =
  | "known"
  | "nonce-too-low"
  | "nonce-too-far"
  | "replacement-underpriced"
  | "wrong-chain"
  | "gas-limit"
  | "intrinsic-gas"
  | "max-fee-below-priority"
  | "gas-price-too-low"
  | "upfront-cost"
  | "pool-full"
  | "invalid-signature";

/** A transaction that the pool did not take, with a reason from a closed list. */
export class RejectedTransaction extends PlinthError {
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string, cause?: unknown) {
    super("TRANSACTION_REJECTED", { message, reason, cause });
    this.reason = reason;
  }
}
