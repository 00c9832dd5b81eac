import type { Clock } from "@plinth/core";

/** Maximum round duration: after a long stall a network must not wait for hours. */
const MAX_ROUND_MS = 300_000;

/** The duration of a round: twice that of the previous one, up to five minutes. */
export function roundTimeoutMs(requestTimeoutSeconds: number, round: number): number {
  const first = requestTimeoutSeconds * 1000;
  return Math.max(first, Math.min(first * 2 ** round, MAX_ROUND_MS));
}

/**
 * The round of Besu validators this long after the start of a height: theirs grow without a limit.
 */
export function roundDueAfter(ms: number, requestTimeoutSeconds: number): number {
  return Math.floor(Math.log2(Math.max(0, ms) / (requestTimeoutSeconds * 1000) + 1));
}

/** The timers of a height; at most one of each kind runs. */
export class HeightTimers {
  readonly #clock: Clock;
  readonly #running = new Map<"block" | "round" | "resend", () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  /** Starts a timer; stops a running one of the same kind. */
  start(kind: "block" | "round" | "resend", ms: number, expired: () => void): void {
    this.stop(kind);
    const stop = this.#clock.after(Math.max(0, ms), () => {
      this.#running.delete(kind);
      expired();
    });
    this.#running.set(kind, stop);
  }

  isRunning(kind: "block" | "round" | "resend"): boolean {
    return this.#running.has(kind);
  }

  stop(kind: "block" | "round" | "resend"): void {
    this.#running.get(kind)?.();
    this.#running.delete(kind);
  }

  stopAll(): void {
    for (const stop of this.#running.values()) stop();
    this.#running.clear();
  }
}
