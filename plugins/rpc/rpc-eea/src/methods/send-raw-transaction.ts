import {
  type Call,
  type Compatibility,
  method,
  RejectedTransaction,
  RpcError,
  t,
} from "@plinth/core";
import { rejectionOf } from "@plinth/kit-rpc";
import {
  decodeRawTransaction,
  getPrivacy,
  keyOf,
  privacyError,
  rawTransaction,
  submissionError,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";

const INTRINSIC_GAS =
  "Privacy Marker Transaction failed due to intrinsic gas exceeding the limit. Gas limit used from the Private Transaction.";

/**
 * `eea_sendRawTransaction`: distributes a private transaction to its parties, and marks it on the
 * public chain.
 */
export const sendRawTransaction = method({
  summary:
    "Distributes a signed private transaction, and sends the public transaction that marks it.",
  params: { transaction: rawTransaction },
  result: t.hash,
  example: { params: ["0xf8c0"], result: `0x${"ab".repeat(32)}` },
  async handle({ transaction }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const key = keyOf(node, call.client);
    try {
      const decoded = await decodeRawTransaction(transaction);
      return await node.submission.submit(decoded, key, call.signal);
    } catch (error) {
      throw markerError(submissionError(error, call.compatibility), call.compatibility);
    }
  },
});

/** The pool's error for the marker, which the caller did not create. */
function markerError(error: unknown, compatibility: Compatibility): unknown {
  if (error instanceof RpcError) return error;
  if (error instanceof RejectedTransaction && error.reason === "intrinsic-gas") {
    return privacyError(INTRINSIC_GAS);
  }
  return rejectionOf(error, compatibility);
}
