import type { Clock } from "@plinth/core";

/** Something that moves on now and then, and those who wait for it. */
export class Moves {
  readonly #clock: Clock;
  readonly #waiters = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** It has moved. */
  wake(): void {
    for (const wake of [...this.#waiters]) wake();
  }

  /** Settles when it has moved, or after a while. */
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
