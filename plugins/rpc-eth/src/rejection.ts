import {
  type Compatibility,
  InvalidTransaction,
  RejectedTransaction,
  type RejectionReason,
  RlpError,
  RpcError,
} from "@plinth/core";
import { missingFunds } from "./failure.js";

const CODES: Readonly<Record<Exclude<RejectionReason, "upfront-cost">, number>> = {
  known: -32000,
  "nonce-too-low": -32001,
  "nonce-too-far": -32000,
  "replacement-underpriced": -32000,
  "wrong-chain": -32000,
  "gas-limit": -32005,
  "intrinsic-gas": -32003,
  "max-fee-below-priority": -32000,
  "gas-price-too-low": -32009,
  "pool-full": -32000,
  "invalid-signature": -32002,
};

/** What a caller is told of a transaction that the pool does not take. */
export function rejectionOf(error: unknown, compatibility: Compatibility): unknown {
  if (error instanceof RejectedTransaction) {
    if (error.reason === "upfront-cost") return missingFunds(compatibility);
    return new RpcError(CODES[error.reason], error.message);
  }
  const isMalformed = error instanceof InvalidTransaction || error instanceof RlpError;
  return isMalformed ? RpcError.invalidParams() : error;
}
