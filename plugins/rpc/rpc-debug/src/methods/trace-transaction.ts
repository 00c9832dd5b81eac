import { method, type QueryCall, t } from "@plinth/core";
import { findTransaction, transactionHash } from "@plinth/kit-trace";
import { notTraceable, traceTransaction as trace } from "../trace/trace-block.js";
import { traceOptions, USUAL_OPTIONS } from "../trace/trace-options.js";

/** `debug_traceTransaction`: trace of a transaction of the chain. */
export const traceTransaction = method({
  offload: "long",
  summary: "Re-executes a transaction as in its block and returns every step.",
  params: { hash: transactionHash, options: t.optional(traceOptions, USUAL_OPTIONS) },
  result: t.json,
  example: {
    params: [`0x${"ab".repeat(32)}`],
    result: { gas: 21000, failed: false, returnValue: "", structLogs: [] },
  },
  handle({ hash, options }, call: QueryCall) {
    const blocks = call.chain.blocks;
    const found = findTransaction(blocks, hash);
    if (found === undefined) return notTraceable(call.compatibility, "transaction not found");
    return trace(blocks, found, { options, call });
  },
});
