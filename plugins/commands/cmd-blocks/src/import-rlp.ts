import {
  type Block,
  InvalidBlock,
  InvalidTransaction,
  messageOf,
  type OpenChain,
  RlpError,
} from "@plinth/core";
import { decodeBlock } from "@plinth/core/blocks";
import { BlockFile, type StoredBlock } from "./block-file.js";
import { failed, type ImportSettings } from "./import-settings.js";
import { OneAhead } from "./one-ahead.js";
import { Progress } from "./progress.js";

/** Imports the blocks of a file; those imported before a failure stay. */
export async function importRlp(path: string, settings: ImportSettings): Promise<void> {
  const { blocks, flags, io, signal } = settings;
  const { startBlock, endBlock = Number.POSITIVE_INFINITY } = flags;
  await using file = await BlockFile.open(path);
  const progress = new Progress(io, "Import");
  const queue = new OneAhead();
  try {
    for await (const stored of file.blocks()) {
      if (signal.aborted) break;
      const block = decode(stored, path);
      const { number } = block.header;
      if (number < startBlock || number === 0n) continue;
      if (number >= endBlock) break;
      const share = (stored.offset + stored.bytes.length) / file.size;
      await queue.push(async () => {
        if (await add(block, blocks, path)) await progress.add(block.header, share);
      });
    }
    await queue.drain();
  } finally {
    await queue.settle();
  }
  const head = blocks.head();
  const outcome = signal.aborted ? "Stopped" : "Imported";
  const count = progress.blocks.toLocaleString("en");
  await progress.end(`${outcome}: ${count} blocks of ${path}, the chain is at ${head.number}`);
}

function decode({ bytes, offset }: StoredBlock, path: string): Block {
  try {
    return decodeBlock(bytes);
  } catch (error) {
    if (!(error instanceof RlpError || error instanceof InvalidTransaction)) throw error;
    throw failed(path, `at byte ${offset}, ${error.message}`, error);
  }
}

/** Whether the block was new. */
async function add(block: Block, blocks: OpenChain["blocks"], path: string): Promise<boolean> {
  const { number } = block.header;
  try {
    const { placement, awaits } = await blocks.import(block, { origin: "file" });
    if (awaits === "parent") {
      throw failed(
        path,
        `Block ${number} does not connect to the existing chain. Current chain head ${blocks.head().number}`,
      );
    }
    if (awaits === "time") throw failed(path, `Block ${number} is from the future`);
    return placement !== "known";
  } catch (error) {
    if (!(error instanceof InvalidBlock)) throw error;
    throw failed(path, messageOf(error), error);
  }
}
