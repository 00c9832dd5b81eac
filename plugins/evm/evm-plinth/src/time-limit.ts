import { yieldToLoop } from "@plinth/core";
import { MAX_BUSY_MS, type Steps } from "@plinth/core/async";
import { RunTooLong } from "@plinth/core/evm";

/** Limits of a run. */
export interface RunLimits {
  readonly maxMs?: number | undefined;
  /** Whether others run in between. */
  readonly yields?: boolean | undefined;
}

/** Aborts runs that take too long, and pauses those that let others run. */
export class TimeLimit {
  readonly #maxMs: number;
  readonly #interrupt: (() => void) | undefined;
  #runMs = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;
  #pauseAt = Number.POSITIVE_INFINITY;

  constructor(maxMs = Number.POSITIVE_INFINITY, interrupt?: () => void) {
    this.#maxMs = maxMs;
    this.#interrupt = interrupt;
  }

  /** A run starts, which may have its own limit. */
  start({ maxMs = Number.POSITIVE_INFINITY, yields = false }: RunLimits): void {
    const now = performance.now();
    this.#runMs = Math.min(maxMs, this.#maxMs);
    this.#deadline = now + this.#runMs;
    this.#pauseAt = yields ? now + MAX_BUSY_MS : Number.POSITIVE_INFINITY;
  }

  /** Whether the run may end early: calls and building may, an import may not. */
  get isSet(): boolean {
    return this.#interrupt !== undefined || this.#deadline !== Number.POSITIVE_INFINITY;
  }

  /** Whether the clock must be read during the run. */
  get isWatched(): boolean {
    return this.isSet || this.#pauseAt !== Number.POSITIVE_INFINITY;
  }

  /** Throws `RunTooLong` if the run exceeds its time, or the error of the chain's interrupt. */
  readonly verify = (): void => {
    this.#interrupt?.();
    if (performance.now() > this.#deadline) throw new RunTooLong(this.#runMs);
  };

  /** Whether others should run now. */
  get isPauseDue(): boolean {
    return performance.now() > this.#pauseAt;
  }

  /** Lets others run; their time is not counted. */
  async pause(): Promise<void> {
    const before = performance.now();
    await yieldToLoop("chain");
    const now = performance.now();
    this.#deadline += now - before;
    this.#pauseAt = now + MAX_BUSY_MS;
  }

  /** Does work in steps; returns a promise if others run before it is done. */
  run<T>(steps: Steps<T>): T | Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      this.verify();
      if (this.isPauseDue) return this.#runInTurns(steps);
    }
  }

  async #runInTurns<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      if (this.isPauseDue) await this.pause();
      const step = steps.next();
      if (step.done === true) return step.value;
      this.verify();
    }
  }
}
