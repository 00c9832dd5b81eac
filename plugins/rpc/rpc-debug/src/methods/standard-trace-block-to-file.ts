import { traceToFile } from "../trace/trace-to-file.js";

/** `debug_standardTraceBlockToFile`: writes how the transactions of a block run into files. */
export const standardTraceBlockToFile = traceToFile({
  summary: "Runs a known block again and writes a file of steps for each transaction.",
  find: (blocks, hash) => blocks.findBlock(hash),
});
