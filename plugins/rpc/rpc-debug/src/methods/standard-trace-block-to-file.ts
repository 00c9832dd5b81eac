import { traceToFile } from "../trace/trace-to-file.js";

/** `debug_standardTraceBlockToFile`: writes traces of the transactions of a block to files. */
export const standardTraceBlockToFile = traceToFile({
  summary: "Re-executes a known block and writes a trace file for each transaction.",
  find: (blocks, hash) => blocks.findBlock(hash),
});
