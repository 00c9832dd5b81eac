import {
  type Address,
  type Codec,
  DecodeError,
  InvalidTransaction,
  method,
  RlpError,
  RpcError,
  type Transaction,
  t,
  toHex,
} from "@plinth/core";
import { decodeTransaction } from "@plinth/core/blocks";
import type { CallRequest } from "@plinth/core/query";
import { type CallCaller, traceCall } from "../call-results.js";
import { CALL_RESULT, SIGNED_TRANSFER } from "../examples.js";
import { traceTypes } from "../trace-types.js";

const INVALID = "Invalid transaction params (missing or incorrect)";

/** A signed transaction in its binary form. */
const signedTransaction: Codec<Transaction> = {
  decode(json, path = "") {
    try {
      return decodeTransaction(t.data.decode(json, path));
    } catch (error) {
      const isMalformed =
        error instanceof RlpError ||
        error instanceof InvalidTransaction ||
        error instanceof DecodeError;
      if (!isMalformed) throw error;
      throw new DecodeError(path, "a signed transaction", INVALID);
    }
  },
  encode: ({ raw }) => toHex(raw),
  schema: { type: "string", pattern: "^0x([0-9a-f]{2})*$" },
};

/** `trace_rawTransaction`: traces a signed transaction on the head block. */
export const rawTransaction = method({
  offload: "long",
  summary: "Traces a signed transaction on the state after the head block, without sending it.",
  params: { transaction: signedTransaction, types: traceTypes },
  exactParams: true,
  result: t.json,
  example: { params: [SIGNED_TRANSFER, ["trace"]], result: CALL_RESULT },
  handle({ transaction, types }, caller: CallCaller) {
    const head = caller.chain.blocks.head();
    return traceCall({ request: callOf(transaction), types }, head, caller);
  },
});

/** The transaction as a call that must be able to pay what it offers. */
function callOf(transaction: Transaction): CallRequest {
  const { gasLimit, ...rest } = transaction;
  return { ...rest, from: senderOf(transaction), gas: gasLimit, strict: true };
}

/** A signature that no key can produce is an error of the caller. */
function senderOf(transaction: Transaction): Address {
  try {
    return transaction.sender;
  } catch (error) {
    throw error instanceof InvalidTransaction ? RpcError.invalidParams(INVALID) : error;
  }
}
