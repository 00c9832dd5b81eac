import { traceToFile } from "../trace/trace-to-file.js";

/** `debug_standardTraceBadBlockToFile`: writes how the transactions of a bad block run into files. */
export const standardTraceBadBlockToFile = traceToFile({
  summary: "Runs a block that was refused again and writes a file of steps for each transaction.",
  find: (blocks, hash) => blocks.badBlocks().find(({ block }) => block.header.hash === hash)?.block,
});
