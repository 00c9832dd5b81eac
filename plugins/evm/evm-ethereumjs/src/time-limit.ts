import { RunTooLong } from "@plinth/core/evm";

/** Reading the clock costs about as much as a step; some steps take a millisecond. */
const TICKS_PER_LOOK = 16;

/** Aborts runs that take too long. */
export class TimeLimit {
  readonly #maxMs: number;
  readonly #interrupt: () => void;
  #runMs = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;
  #ticks = 0;

  constructor(maxMs = Number.POSITIVE_INFINITY, interrupt = () => {}) {
    this.#maxMs = maxMs;
    this.#interrupt = interrupt;
  }

  /** A run starts, which may have its own limit. */
  start(maxMs = Number.POSITIVE_INFINITY): void {
    this.#runMs = Math.min(maxMs, this.#maxMs);
    this.#deadline = performance.now() + this.#runMs;
  }

  /** Called at every step: throws `RunTooLong` if the current run exceeds its time. */
  readonly tick = (): void => {
    this.#ticks += 1;
    if (this.#ticks % TICKS_PER_LOOK === 0) this.verify();
  };

  /**
   * Throws `RunTooLong` if the last run exceeds its time limit, or the error of the caller's
   * interrupt.
   */
  readonly verify = (): void => {
    this.#interrupt();
    if (performance.now() > this.#deadline) throw new RunTooLong(this.#runMs);
  };
}
