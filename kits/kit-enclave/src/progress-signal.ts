import type { Clock } from "@plinth/core";

/** Lets callers wait for the next progress, with a timeout. */
export class ProgressSignal {
  readonly #clock: Clock;
  readonly #waiters = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reports progress to all who wait. */
  wake(): void {
    for (const wake of [...this.#waiters]) wake();
  }

  /** Settles at the next progress, or after `maxMs`. */
  next(maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop();
        this.#waiters.delete(done);
        resolve();
      };
      const stop = this.#clock.after(maxMs, done);
      this.#waiters.add(done);
    });
  }
}
