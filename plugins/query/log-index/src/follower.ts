import { type Clock, yieldToLoop } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import type { BloomCache } from "./bloom-cache.js";
import type { Generation } from "./generation.js";

/** Delay after the start. */
export const DELAY_MS = 60_000;

/**
 * Keeps the cache complete: fills gaps a while after the start, and adds every block from then on.
 */
export class Follower {
  readonly #cache: BloomCache;
  readonly #generation: Generation;
  /** First segment that may be missing. */
  #start = 0;
  readonly #moved = new Signal();

  constructor(cache: BloomCache, generation: Generation) {
    this.#cache = cache;
    this.#generation = generation;
  }

  /** Called on a new head. */
  headMoved(): void {
    this.#moved.notify();
  }

  /** Called before blocks from this one on leave the chain. */
  rewound(first: bigint): void {
    this.#start = Math.min(this.#start, this.#cache.segmentOf(first));
  }

  /** Runs until the signal aborts. */
  async run(clock: Clock, signal: AbortSignal, delayMs: number): Promise<void> {
    await clock.sleep(delayMs, signal);
    while (!signal.aborted) {
      const moved = this.#moved.nextWithin({ signal });
      await this.#fill(signal);
      while (!signal.aborted && this.#cache.extend()) await yieldToLoop();
      await moved;
    }
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const start = this.#cache.firstOf(this.#start);
    // Files that an operator removes later stay removed.
    this.#start = this.#cache.completeSegments;
    const range = { start, end: "latest" } as const;
    const hasRun = await this.#generation.run(range, { signal, onlyMissing: true });
    if (!hasRun || !this.#cache.isSettled) this.rewound(start);
  }
}
