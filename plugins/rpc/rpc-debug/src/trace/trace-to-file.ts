import { type BlockReader, type Call, type Hash, method, type SealedBlock, t } from "@plinth/core";
import { blockNotFound } from "../find.js";
import { blockHash } from "../params.js";
import { fileOptions, USUAL_FILE_OPTIONS } from "./file-options.js";
import { writeTraceFiles } from "./trace-file.js";

/**
 * A method that writes traces of the transactions of a block to files; `find` resolves the block.
 */
export function traceToFile(settings: {
  readonly summary: string;
  find(blocks: BlockReader, hash: Hash): SealedBlock | undefined;
}) {
  return method({
    summary: settings.summary,
    params: { hash: blockHash, options: t.optional(fileOptions, USUAL_FILE_OPTIONS) },
    result: t.array(t.text),
    example: {
      params: [`0x${"ab".repeat(32)}`],
      result: ["/var/lib/plinth/traces/block_0xabababab-0-0xcdcdcdcd-1700000000000"],
    },
    async handle({ hash, options }, call: Call) {
      const { dataPath, clock, client, log } = call;
      const blocks = call.chain.blocks;
      const block = settings.find(blocks, hash);
      if (block === undefined) throw blockNotFound();
      const files = await writeTraceFiles(
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
      log.debug(`wrote ${files.length} trace files of block ${hash}`);
      return files;
    },
  });
}
