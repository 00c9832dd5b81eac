import { traceToFile } from "../trace/trace-to-file.js";

/**
 * `debug_standardTraceBadBlockToFile`: writes traces of the transactions of a bad block to files.
 */
export const standardTraceBadBlockToFile = traceToFile({
  summary: "Re-executes a rejected block and writes a trace file for each transaction.",
  find: (blocks, hash) => blocks.badBlocks().find(({ block }) => block.header.hash === hash)?.block,
});
