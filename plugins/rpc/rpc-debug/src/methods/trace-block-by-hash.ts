import { method, type QueryCall, t } from "@plinth/core";
import { blockHash } from "../params.js";
import { notTraceable, traceKnownBlock } from "../trace/trace-block.js";
import { traceOptions, USUAL_OPTIONS } from "../trace/trace-options.js";

/** `debug_traceBlockByHash`: traces of the transactions of a block. */
export const traceBlockByHash = method({
  offload: "long",
  summary: "Re-executes a block by its hash and returns every step of each transaction.",
  params: { hash: blockHash, options: t.optional(traceOptions, USUAL_OPTIONS) },
  result: t.json,
  example: {
    params: [`0x${"ab".repeat(32)}`],
    result: [{ gas: 21000, failed: false, returnValue: "", structLogs: [] }],
  },
  handle({ hash, options }, call: QueryCall) {
    const blocks = call.chain.blocks;
    const block = blocks.findBlock(hash);
    if (block === undefined) return notTraceable(call.compatibility, `block ${hash} not found`);
    return traceKnownBlock(blocks, block, { options, call });
  },
});
