import { type Logger, messageOf, type Runtime, Yielder } from "@plinth/core";
import { JoinRefused } from "@plinth/core/chain";
import {
  type BlockContent,
  type BlocksFile,
  decodeBlock,
  filesOf,
  type Manifest,
  SnapshotError,
  type SnapshotSource,
  splitBlocks,
} from "@plinth/kit-snapshot";
import { SnapshotFiles } from "./snapshot-files.js";

/** New blocks wait for at most as many. */
const BLOCKS_AT_ONCE = 32;

type OldBlocksRuntime = Pick<Runtime, "chain" | "log" | "sync">;

/** Adds the blocks before the one at which the node joined, from the files of a snapshot. */
export class OldBlocks {
  readonly #chain: OldBlocksRuntime["chain"];
  readonly #log: Logger;
  readonly #sync: OldBlocksRuntime["sync"];

  constructor({ chain, log, sync }: OldBlocksRuntime) {
    this.#chain = chain;
    this.#log = log;
    this.#sync = sync;
  }

  /** Runs until all of them are there or no source delivers them. */
  async run(sources: readonly SnapshotSource[], signal: AbortSignal): Promise<void> {
    try {
      await this.#addAll(sources, signal);
    } finally {
      this.#sync.reportMissing(0n);
    }
  }

  async #addAll(sources: readonly SnapshotSource[], signal: AbortSignal): Promise<void> {
    for (const source of sources) {
      if (this.#chain.blocks.firstRetained() === 0n) return;
      this.#reportMissing();
      try {
        const manifest = await source.readManifest({ signal });
        await this.#addFrom(manifest, sources, signal);
      } catch (error) {
        if (!(error instanceof SnapshotError || error instanceof JoinRefused)) throw error;
        this.#log.warn(`old blocks are not read from ${source.name}: ${messageOf(error)}`);
      }
    }
  }

  #reportMissing(): void {
    const first = this.#chain.blocks.firstRetained();
    // Block 0 is always here.
    this.#sync.reportMissing(first === 0n ? 0n : first - 1n);
  }

  async #addFrom(
    manifest: Manifest,
    sources: readonly SnapshotSource[],
    signal: AbortSignal,
  ): Promise<void> {
    const { blocks, writer } = this.#chain;
    const files = new SnapshotFiles(sources, this.#log);
    for (const file of filesOf(manifest, "blocks").toReversed()) {
      signal.throwIfAborted();
      const wanted = blocksBefore(file, blocks.firstRetained());
      if (wanted === 0) continue;
      const encoded = splitBlocks(await files.read(file, signal), file).slice(0, wanted);
      while (encoded.length > 0) {
        signal.throwIfAborted();
        const some = encoded.splice(-BLOCKS_AT_ONCE);
        await writer.addOlder(await decodeInTurns(some, file));
        this.#reportMissing();
      }
      this.#log.debug(`added the blocks from ${file.firstBlock} on`);
    }
    if (blocks.firstRetained() === 0n) this.#log.info("All old blocks are here");
  }
}

async function decodeInTurns(
  encoded: readonly Uint8Array[],
  file: BlocksFile,
): Promise<readonly BlockContent[]> {
  const turns = new Yielder();
  const blocks: BlockContent[] = [];
  for (const each of encoded) {
    await turns.yield();
    blocks.push(decodeBlock(each, file));
  }
  return blocks;
}

/** How many blocks of a file, from its start, are missing right before a block. */
function blocksBefore({ firstBlock, count }: BlocksFile, first: bigint): number {
  if (first <= firstBlock || first > firstBlock + BigInt(count)) return 0;
  return Number(first - firstBlock);
}
