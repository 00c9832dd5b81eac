import { method, type QueryCall, t } from "@plinth/core";
import { findTransaction, transactionHash } from "@plinth/kit-trace";
import { CALL_TRACE } from "../examples.js";
import { tracesOfTransaction } from "../traced-block.js";

/** `trace_transaction`: every call of a transaction. */
export const transaction = method({
  offload: "long",
  summary: "Returns the calls of a transaction, each before its inner calls.",
  params: { hash: transactionHash },
  result: t.json,
  example: { params: [`0x${"ab".repeat(32)}`], result: [CALL_TRACE] },
  async handle({ hash }, call: QueryCall) {
    const blocks = call.chain.blocks;
    const found = findTransaction(blocks, hash);
    return found === undefined ? [] : await tracesOfTransaction(blocks, found, call);
  },
});
