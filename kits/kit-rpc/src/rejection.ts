import {
  type Compatibility,
  InvalidTransaction,
  RejectedTransaction,
  RlpError,
  RpcError,
} from "@plinth/core";
import type { RejectionReason } from "@plinth/core/pool";
import { missingFunds } from "./failure.js";

const CODES: Readonly<Record<Exclude<RejectionReason, "upfront-cost">, number>> = {
  known: -32000,
  "fee-cap": -32000,
  "gas-price-too-low": -32009,
  "wrong-chain": -32000,
  "chain-id-unsupported": -32000,
  "chain-id-missing": -32000,
  "invalid-signature": -32002,
  "invalid-blobs": -32603,
  "blob-count": -32602,
  type: -32602,
  "init-code": -32603,
  "empty-authorization-list": -32603,
  "max-fee-below-priority": -32000,
  "blob-gas": -32000,
  "intrinsic-gas": -32003,
  "gas-limit": -32005,
  "gas-cap": -32005,
  refused: -32000,
  "nonce-too-low": -32001,
  "sender-not-authorized": -32007,
  "nonce-too-far": -32000,
  "delegated-sender": -32000,
  "replacement-underpriced": -32000,
  "pool-full": -32000,
};

/** For these Besu reports only an internal error. */
const HIDDEN: readonly RejectionReason[] = ["init-code", "empty-authorization-list"];

/** The error for a transaction that the pool rejects. */
export function rejectionOf(error: unknown, compatibility: Compatibility): unknown {
  if (error instanceof RejectedTransaction) {
    if (error.reason === "upfront-cost") return missingFunds(compatibility);
    const code = CODES[error.reason];
    const hidesText = compatibility.mode === "besu" && HIDDEN.includes(error.reason);
    return hidesText ? RpcError.internal() : new RpcError(code, error.message);
  }
  const isMalformed = error instanceof InvalidTransaction || error instanceof RlpError;
  return isMalformed ? RpcError.invalidParams() : error;
}
