import type { Clock, Tasks } from "@plinth/core";
import type { BloomCache } from "./bloom-cache.js";

/** Progress of the current or last run. */
export interface GenerationStatus {
  readonly start: bigint;
  readonly end: bigint | "latest";
  readonly current: bigint;
  readonly isRunning: boolean;
}

/** A run: writes the complete files of a range of blocks. */
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

  /** Starts a run unless one is in progress or the range is empty. */
  begin(range: GenerationRange, tasks: Tasks): boolean {
    const isEmpty = range.end !== "latest" && range.start >= range.end;
    if (this.#status.isRunning || isEmpty) return false;
    this.#announce(range);
    tasks.run("log bloom cache", (signal) => this.#run(range, signal));
    return true;
  }

  /** Starts to rewrite every file up to the one of a block; `false` if a run is in progress. */
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

  /** Same, but awaitable; complete files can be kept. */
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
