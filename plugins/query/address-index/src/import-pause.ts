import type { BlockReader } from "@plinth/core";

/** More blocks per second are an import of many, or a development chain under load. */
const MAX_USUAL_RATE = 2;
/** Blocks are counted over at least this time: they may arrive one for each batch. */
const WINDOW_MS = 1000;
/** The share of the time that the index may take then: one part of this many. */
const PARTS = 10;
/** Batches of a few blocks cost more per block. */
const MIN_MS = 500;
const MAX_MS = 1000;

/** Keeps the index from slowing down blocks that arrive quickly: after each batch, a pause that depends on how long it took. */
export class ImportPause {
  readonly #blocks: Pick<BlockReader, "head">;
  /** Since when blocks are counted. */
  #window: { readonly began: number; readonly number: bigint } | undefined;
  #ms = 0;

  constructor(blocks: Pick<BlockReader, "head">) {
    this.#blocks = blocks;
  }

  /** The time to wait before the next batch; 0 if few blocks have arrived. */
  get ms(): number {
    return this.#ms;
  }

  /** Runs a batch; the blocks that arrive meanwhile, and since the batches before it, are counted. */
  async measure<T>(run: () => Promise<T>): Promise<T> {
    const began = performance.now();
    this.#window ??= { began, number: this.#blocks.head().number };
    const window = this.#window;
    try {
      return await run();
    } finally {
      const now = performance.now();
      const counted = now - window.began;
      const arrived = Number(this.#blocks.head().number - window.number);
      const usual = (MAX_USUAL_RATE * Math.max(counted, WINDOW_MS)) / 1000;
      this.#ms =
        arrived > usual ? Math.min(MAX_MS, Math.max(MIN_MS, (now - began) * (PARTS - 1))) : 0;
      if (counted >= WINDOW_MS) this.#window = undefined;
    }
  }
}
