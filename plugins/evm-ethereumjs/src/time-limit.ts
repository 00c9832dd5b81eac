import { RunTooLong } from "@plinth/core";

/** Looking at the clock costs more than a step does. */
const TICKS_PER_LOOK = 1024;

/** Ends runs that take too long. */
export class TimeLimit {
  readonly #maxMs: number;
  #deadline = Number.POSITIVE_INFINITY;
  #ticks = 0;

  constructor(maxMs = Number.POSITIVE_INFINITY) {
    this.#maxMs = maxMs;
  }

  /** A run begins. */
  start(): void {
    this.#deadline = performance.now() + this.#maxMs;
  }

  /** Throws `RunTooLong` when the run that began last has had its time; reads the clock now and then. */
  readonly tick = (): void => {
    this.#ticks += 1;
    if (this.#ticks % TICKS_PER_LOOK === 0) this.check();
  };

  /** Throws `RunTooLong` when the run that began last has had its time; reads the clock at once. */
  readonly check = (): void => {
    if (performance.now() > this.#deadline) throw new RunTooLong(this.#maxMs);
  };
}
