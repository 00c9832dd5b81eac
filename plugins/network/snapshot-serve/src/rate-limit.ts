import type { Clock } from "@plinth/core";
import { Mutex } from "@plinth/core/async";

/** Spreads bytes over time, of all that share it. */
export class RateLimit {
  readonly #bytesPerMs: number;
  readonly #clock: Clock;
  readonly #turns = new Mutex();
  /** When all that was admitted is sent. */
  #end = 0;

  constructor(bytesPerSecond: number, clock: Clock) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#clock = clock;
  }

  /** Resolves when a number of bytes may be sent; who leaves before takes nothing from the others. */
  admit(bytes: number, signal: AbortSignal): Promise<void> {
    return this.#turns.run(async () => {
      signal.throwIfAborted();
      const waitMs = this.#end - this.#clock.now();
      if (waitMs > 0) await this.#clock.sleep(waitMs, signal);
      signal.throwIfAborted();
      this.#end = Math.max(this.#clock.now(), this.#end) + bytes / this.#bytesPerMs;
    });
  }
}
