import type { BlockReader } from "@plinth/core";

/** More blocks per second are an import of many. */
const MAX_USUAL_RATE = 2;
/** The share of the time that the index may take then: one part of this many. */
const PARTS = 10;
/** Batches of a few blocks cost more per block. */
const MIN_MS = 500;
const MAX_MS = 1000;

/** Keeps the index from slowing down imports: after each batch, a pause that depends on how long it took. */
export class ImportPause {
  readonly #blocks: Pick<BlockReader, "head">;
  #ms = 0;

  constructor(blocks: Pick<BlockReader, "head">) {
    this.#blocks = blocks;
  }

  /** The time to wait before the next batch; 0 if no blocks are being imported. */
  get ms(): number {
    return this.#ms;
  }

  /** Runs a batch, and counts the blocks that are imported meanwhile. */
  async measure<T>(run: () => Promise<T>): Promise<T> {
    const { number } = this.#blocks.head();
    const began = performance.now();
    try {
      return await run();
    } finally {
      const ms = performance.now() - began;
      const imported = Number(this.#blocks.head().number - number);
      const isImporting = imported > 1 && imported > (MAX_USUAL_RATE * ms) / 1000;
      this.#ms = isImporting ? Math.min(MAX_MS, Math.max(MIN_MS, ms * (PARTS - 1))) : 0;
    }
  }
}
