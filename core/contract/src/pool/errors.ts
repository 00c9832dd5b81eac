import { PlinthError } from "../kernel/errors.js";

/** Why a transaction was rejected. */
export type RejectionReason =
  | "known"
  | "fee-cap"
  | "gas-price-too-low"
  | "wrong-chain"
  | "chain-id-unsupported"
  | "chain-id-missing"
  | "invalid-signature"
  | "invalid-blobs"
  | "blob-count"
  | "type"
  | "init-code"
  | "empty-authorization-list"
  | "max-fee-below-priority"
  | "blob-gas"
  | "intrinsic-gas"
  | "gas-limit"
  | "gas-cap"
  | "refused"
  | "upfront-cost"
  | "nonce-too-low"
  | "sender-not-authorized"
  | "nonce-too-far"
  | "delegated-sender"
  | "replacement-underpriced"
  | "pool-full";

/** A transaction that the pool rejected, with a reason from a closed list. */
export class RejectedTransaction extends PlinthError {
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string, cause?: unknown) {
    super("TRANSACTION_REJECTED", { message, reason, cause });
    this.reason = reason;
  }
}
