import type { Clock, Tasks } from "@plinth/core";
import type { BloomCache } from "./bloom-cache.js";

/** How far a run has come, or the last one came. */
export interface GenerationStatus {
  readonly start: bigint;
  readonly end: bigint | "latest";
  readonly current: bigint;
  readonly isRunning: boolean;
}

/** What a run writes: the whole files of blocks from one up to another. */
export interface GenerationRange {
  readonly start: bigint;
  readonly end: bigint | "latest";
}

const REPAIR_DELAY_MS = 1000;

/** Runs that write files, one at a time. */
export class Generation {
  readonly #cache: BloomCache;
  #status: GenerationStatus = { start: 0n, end: 0n, current: 0n, isRunning: false };

  constructor(cache: BloomCache) {
    this.#cache = cache;
  }

  get status(): GenerationStatus {
    return this.#status;
  }

  /** Begins a run unless one is under way or there is nothing in the range. */
  begin(range: GenerationRange, tasks: Tasks): boolean {
    const isEmpty = range.end !== "latest" && range.start >= range.end;
    if (this.#status.isRunning || isEmpty) return false;
    this.#announce(range);
    tasks.run("log bloom cache", (signal) => this.#run(range, signal));
    return true;
  }

  /** Begins to rewrite every file up to that of a block; `false` when a run is under way. */
  repair(
    last: bigint,
    { tasks, clock }: { readonly tasks: Tasks; readonly clock: Clock },
  ): boolean {
    if (this.#status.isRunning) return false;
    const range = { start: 0n, end: this.#cache.firstOf(this.#cache.segmentOf(last) + 1) };
    this.#announce(range);
    tasks.run("log bloom cache", async (signal) => {
      await clock.sleep(REPAIR_DELAY_MS, signal);
      await this.#run(range, signal);
    });
    return true;
  }

  /** The same, to be waited for; whole files can be left as they are. */
  async run(
    range: GenerationRange,
    settings: {
      readonly signal: AbortSignal;
      readonly onlyMissing?: boolean;
      readonly progress?: (block: bigint) => void;
    },
  ): Promise<boolean> {
    if (this.#status.isRunning) return false;
    this.#announce(range);
    await this.#run(range, settings.signal, settings);
    return true;
  }

  #announce({ start, end }: GenerationRange): void {
    this.#status = { start, end, current: start, isRunning: true };
  }

  async #run(
    { start, end }: GenerationRange,
    signal: AbortSignal,
    {
      onlyMissing = false,
      progress,
    }: { readonly onlyMissing?: boolean; readonly progress?: (block: bigint) => void } = {},
  ): Promise<void> {
    const cache = this.#cache;
    const note = (current: bigint) => {
      this.#status = { ...this.#status, current };
      progress?.(current);
    };
    const isLeft = (segment: number) =>
      segment < cache.completeSegments && (end === "latest" || cache.firstOf(segment) < end);
    try {
      let segment = cache.segmentOf(start);
      while (isLeft(segment) && !signal.aborted) {
        const isThere = onlyMissing && cache.isWhole(segment);
        if (isThere || (await cache.write(segment, { signal, progress: note }))) segment += 1;
        else if (!cache.isSettled) break;
      }
    } finally {
      this.#status = { ...this.#status, isRunning: false };
    }
  }
}
