import { method, type QueryCall, t } from "@plinth/core";
import { findBlock } from "@plinth/kit-rpc";
import { notTraceable, traceKnownBlock } from "../trace/trace-block.js";
import { traceOptions, USUAL_OPTIONS } from "../trace/trace-options.js";

/** `debug_traceBlockByNumber`: traces of the transactions of a block. */
export const traceBlockByNumber = method({
  offload: "long",
  summary: "Re-executes a block of the canonical chain and returns every step of each transaction.",
  params: { block: t.blockId, options: t.optional(traceOptions, USUAL_OPTIONS) },
  result: t.json,
  example: {
    params: ["latest"],
    result: [{ gas: 21000, failed: false, returnValue: "", structLogs: [] }],
  },
  handle({ block: id, options }, call: QueryCall) {
    const blocks = call.chain.blocks;
    const block = findBlock(blocks, id);
    if (block === undefined) return notTraceable(call.compatibility, `block #${id} not found`);
    return traceKnownBlock(blocks, block, { options, call });
  },
});
