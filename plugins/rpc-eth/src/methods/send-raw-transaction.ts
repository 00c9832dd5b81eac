import {
  type Call,
  InvalidTransaction,
  method,
  RejectedTransaction,
  type RejectionReason,
  RlpError,
  RpcError,
  t,
} from "@plinth/core";
import { blocksOf } from "../blocks.js";

const CODES: Readonly<Record<RejectionReason, number>> = {
  known: -32000,
  "nonce-too-low": -32001,
  "nonce-too-far": -32000,
  "replacement-underpriced": -32000,
  "wrong-chain": -32000,
  "gas-limit": -32005,
  "intrinsic-gas": -32003,
  "max-fee-below-priority": -32000,
  "fee-below-base-fee": -32009,
  "upfront-cost": -32004,
  "pool-full": -32000,
  "invalid-signature": -32002,
};

/** What client libraries recognise missing funds by. */
const MISSING_FUNDS = ": insufficient funds for gas * price + value";

/** `eth_sendRawTransaction`: gives a signed transaction to the pool. */
export const sendRawTransaction = method({
  summary: "Sends a signed transaction.",
  params: { transaction: t.data },
  exactParams: true,
  result: t.hash,
  handle({ transaction }, call: Call) {
    blocksOf(call);
    try {
      return call.pool?.submit(transaction).hash ?? "0x";
    } catch (error) {
      throw toRpcError(error);
    }
  },
});

function toRpcError(error: unknown): unknown {
  if (error instanceof RejectedTransaction) {
    const detail = error.reason === "upfront-cost" ? MISSING_FUNDS : "";
    return new RpcError(CODES[error.reason], `${error.message}${detail}`);
  }
  const isMalformed = error instanceof InvalidTransaction || error instanceof RlpError;
  return isMalformed ? RpcError.invalidParams() : error;
}
