import type { Clock } from "@plinth/core";

/** Spreads bytes over time, of all that share it. */
export class RateLimit {
  readonly #bytesPerMs: number;
  readonly #clock: Clock;
  /** When all that was admitted is sent. */
  #end = 0;

  constructor(bytesPerSecond: number, clock: Clock) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#clock = clock;
  }

  /** Resolves when a number of bytes may be sent. */
  async admit(bytes: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const start = Math.max(now, this.#end);
    this.#end = start + bytes / this.#bytesPerMs;
    if (start > now) await this.#clock.sleep(start - now, signal);
  }
}
