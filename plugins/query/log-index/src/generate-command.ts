import { ConfigError, command, option, PlinthError } from "@plinth/core";
import type { OpenCache } from "./open-cache.js";

/**
 * `operator generate-log-bloom-cache`: writes the cache files of a chain while no node runs on it.
 */
export const generateLogBloomCache = (opened: OpenCache, segmentBlocks: number) =>
  command({
    id: "operator generate-log-bloom-cache",
    summary: "Writes the log bloom cache of the chain.",
    examples: [
      "plinth --genesis-file=genesis.json --data-path=data operator generate-log-bloom-cache",
    ],
    flags: {
      startBlock: option.integer({
        summary: `First block, a multiple of ${segmentBlocks}.`,
        default: 0,
        min: 0,
      }),
      endBlock: option.integer({ summary: "Last block; by default the head.", min: 0 }),
    },
    uses: { chain: true },
    async run({ flags, io, openChain, signal }) {
      const { startBlock, endBlock } = flags;
      if (startBlock % segmentBlocks !== 0) {
        throw new PlinthError("START_BLOCK_INVALID", {
          message: `Start block must be an even increment of ${segmentBlocks}`,
        });
      }
      await using chain = await openChain();
      const head = chain.blocks.head().number;
      const end = endBlock === undefined ? head : BigInt(endBlock);
      if (end > head) {
        throw new ConfigError("END_BLOCK_INVALID", {
          message: `--end-block is ${end}; expected at most ${head}, the number of the head block`,
        });
      }
      const progress = (block: bigint) => io.status?.show(`block ${block} of ${end}`);
      const start = BigInt(startBlock);
      const range = { start, end: endBlock === undefined ? ("latest" as const) : end };
      await opened.parts.generation.run(range, { signal, progress });
      io.status?.clear();
      if (signal.aborted) {
        throw new PlinthError("GENERATION_STOPPED", { message: "Stopped before the end." });
      }
      const files = opened.parts.cache.countWhole(start, end);
      await io.write(`Blocks ${start} to ${end}: ${files} complete cache files.`);
    },
  });
