import { type Clock, systemClock } from "../kernel/clock.js";

/** How long a caller waits for an event. */
export interface WaitLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Lets any number of callers wait for the next event.
 *
 * A caller is subscribed from its call of `next` on, not from its `await` on: calling `next` before
 * the work and awaiting it afterwards misses no event in between.
 */
export class Signal {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Whether any caller is waiting. */
  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** Wakes all waiting callers, in order. */
  notify(): void {
    for (const wake of this.#waiting) {
      this.#waiting.delete(wake);
      wake();
    }
  }

  /** Resolves at the next event. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /**
   * Resolves to `true` at the next event, or to `false` on timeout or when the caller's signal
   * aborts.
   */
  nextWithin({ timeoutMs, signal }: WaitLimits): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(false);
      const end = (isNotified: boolean) => {
        cancel?.();
        signal?.removeEventListener("abort", giveUp);
        resolve(isNotified);
      };
      const wake = () => end(true);
      const giveUp = () => {
        this.#waiting.delete(wake);
        end(false);
      };
      this.#waiting.add(wake);
      signal?.addEventListener("abort", giveUp);
      const cancel = timeoutMs === undefined ? undefined : this.#clock.after(timeoutMs, giveUp);
    });
  }
}
