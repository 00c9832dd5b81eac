import { type Blockchain, type Call, type Hash, method, type SealedBlock, t } from "@plinth/core";
import { blocksOf } from "@plinth/plugin-rpc-eth/api";
import { blockNotFound } from "../find.js";
import { blockHash } from "../params.js";
import { fileOptions, USUAL_FILE_OPTIONS } from "../trace/file-options.js";
import { writeTraceFiles } from "../trace/trace-file.js";

/** `debug_standardTraceBadBlockToFile`: writes how the transactions of a bad block run into files. */
export const standardTraceBadBlockToFile = method({
  summary: "Runs a block that was refused again and writes a file of steps for each transaction.",
  params: { hash: blockHash, options: t.optional(fileOptions, USUAL_FILE_OPTIONS) },
  result: t.array(t.text),
  example: {
    params: [`0x${"ab".repeat(32)}`],
    result: ["/var/lib/plinth/traces/block_0xabababab-0-0xcdcdcdcd-1700000000000"],
  },
  async handle({ hash, options }, call: Call) {
    const { dataPath, clock, client } = call;
    const blocks = blocksOf(call);
    const block = findBadBlock(blocks, hash);
    if (block === undefined) throw blockNotFound();
    return writeTraceFiles(
      blocks,
      { block, hash },
      {
        hash: options.txHash,
        hasMemory: !options.disableMemory,
        dataPath,
        now: clock.now(),
        signal: client.closed,
      },
    );
  },
});

function findBadBlock(blocks: Blockchain, hash: Hash): SealedBlock | undefined {
  return blocks.badBlocks().find(({ block }) => block.header.hash === hash)?.block;
}
