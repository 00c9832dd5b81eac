import {
  InvalidTransaction,
  RejectedTransaction,
  type RejectionReason,
  RlpError,
  RpcError,
} from "@plinth/core";
import { MISSING_FUNDS } from "./failure.js";

const CODES: Readonly<Record<RejectionReason, number>> = {
  known: -32000,
  "nonce-too-low": -32001,
  "nonce-too-far": -32000,
  "replacement-underpriced": -32000,
  "wrong-chain": -32000,
  "gas-limit": -32005,
  "intrinsic-gas": -32003,
  "max-fee-below-priority": -32000,
  "gas-price-too-low": -32009,
  "upfront-cost": -32004,
  "pool-full": -32000,
  "invalid-signature": -32002,
};

/** What a caller is told of a transaction that the pool does not take. */
export function rejectionOf(error: unknown): unknown {
  if (error instanceof RejectedTransaction) {
    const detail = error.reason === "upfront-cost" ? MISSING_FUNDS : "";
    return new RpcError(CODES[error.reason], `${error.message}${detail}`);
  }
  const isMalformed = error instanceof InvalidTransaction || error instanceof RlpError;
  return isMalformed ? RpcError.invalidParams() : error;
}
