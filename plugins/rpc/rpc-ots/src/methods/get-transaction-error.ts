import { method, type QueryCall, t, toHex } from "@plinth/core";
import { transactionHash } from "@plinth/kit-trace";
import { EXAMPLES } from "../examples.js";
import { runTransaction } from "../run-transaction.js";

/** `ots_getTransactionError`: the data with which a transaction reverted. */
export const getTransactionError = method({
  offload: "long",
  summary: "Returns the data with which a transaction reverted; empty if it did not.",
  params: { hash: transactionHash },
  result: t.json,
  example: { params: [EXAMPLES.hash], result: "0x" },
  async handle({ hash }, call: QueryCall) {
    const { result } = await runTransaction(hash, call);
    return result.outcome === "reverted" ? toHex(result.returnValue) : "0x";
  },
});
