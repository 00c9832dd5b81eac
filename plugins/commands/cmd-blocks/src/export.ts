import { open } from "node:fs/promises";
import { ConfigError, command, encodeBlock, messageOf, option, PlinthError } from "@plinth/core";
import { Progress } from "./progress.js";

const flags = {
  to: option.path({ summary: "The file to write." }),
  startBlock: option.integer({ summary: "The first block; the file is then appended to.", min: 0 }),
  endBlock: option.integer({ summary: "The end of the range, exclusive.", min: 0 }),
};

/** `blocks export`: writes consecutive blocks of the canonical chain to a file. */
export const exportBlocks = command({
  id: "blocks export",
  summary:
    "Writes the blocks of the chain to a file; takes about a second per few thousand blocks.",
  examples: [
    "plinth --genesis-file=genesis.json --data-path=data blocks export --to=chain.rlp",
    "plinth --genesis-file=genesis.json --data-path=data blocks export --start-block=100 --end-block=200 --to=part.rlp",
  ],
  flags,
  uses: { chain: true },
  async run({ flags: { to, startBlock, endBlock }, io, openChain, signal }) {
    if (to === undefined) {
      throw new ConfigError("OPTION_MISSING", {
        message: "Missing required option: '--to=<FILE>'",
      });
    }
    if (endBlock !== undefined && endBlock <= (startBlock ?? 0)) {
      throw new ConfigError("OPTION_INVALID", {
        message: `Parameter --end-block (${endBlock}) must be greater start block (${startBlock ?? 0}).`,
      });
    }
    await using chain = await openChain();
    const { blocks } = chain;
    const end = Math.min(endBlock ?? Number.POSITIVE_INFINITY, Number(blocks.head().number) + 1);
    // Before the file is emptied.
    blocks.verifyRetained(BigInt(startBlock ?? 0), BigInt(end) - 1n);
    // As in Besu: a file that starts in the middle of the chain continues another.
    const file = await open(to, startBlock === undefined ? "w" : "a").catch((cause: unknown) => {
      const message = `Unable to write ${to}: ${messageOf(cause)}`;
      throw new PlinthError("OUTPUT_UNWRITABLE", { message, cause });
    });
    const progress = new Progress(io, "Export");
    try {
      for (let number = startBlock ?? 0; number < end && !signal.aborted; number++) {
        const block = blocks.findBlock(BigInt(number));
        if (block === undefined) break;
        await file.write(encodeBlock(block));
        await progress.add(block.header, (number + 1) / end);
      }
    } finally {
      await file.close();
    }
    await progress.end(`Exported ${progress.blocks.toLocaleString("en")} blocks to ${to}`);
  },
});
