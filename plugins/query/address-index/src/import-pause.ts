import type { BlockReader, Clock } from "@plinth/core";

/** More blocks per second are an import of many, or a development chain under load. */
const MAX_USUAL_RATE = 2;
/** Blocks are counted over at least this time: they may arrive one for each batch. */
const WINDOW_MS = 1000;
/** The share of the time that the index may take then: one part of this many. */
const PARTS = 10;
/** Batches of a few blocks cost more per block. */
const MIN_MS = 500;
const MAX_MS = 10_000;
/** How often a pause checks whether it is still needed. */
const STEP_MS = 50;
/** After this time without a block, none is expected. */
const QUIET_MS = 500;

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

  /** Waits before the next batch, but not while a search waits for the index, nor once no more blocks arrive. */
  async wait(
    clock: Pick<Clock, "sleep">,
    { isAwaited, signal }: { readonly isAwaited: () => boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    let { number } = this.#blocks.head();
    let quietMs = 0;
    for (let left = this.#ms; left > 0 && quietMs < QUIET_MS && !isAwaited(); left -= STEP_MS) {
      await clock.sleep(Math.min(left, STEP_MS), signal);
      const head = this.#blocks.head();
      quietMs = head.number === number ? quietMs + STEP_MS : 0;
      number = head.number;
    }
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
