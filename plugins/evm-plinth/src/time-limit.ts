import { RunTooLong } from "@plinth/core";

/** Ends runs that take too long. */
export class TimeLimit {
  readonly #maxMs: number;
  readonly #interrupt: (() => void) | undefined;
  #runMs = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(maxMs = Number.POSITIVE_INFINITY, interrupt?: () => void) {
    this.#maxMs = maxMs;
    this.#interrupt = interrupt;
  }

  /** A run begins, which may have a limit of its own. */
  start(maxMs = Number.POSITIVE_INFINITY): void {
    this.#runMs = Math.min(maxMs, this.#maxMs);
    this.#deadline = performance.now() + this.#runMs;
  }

  /** Whether the run may end early at all; import and building have no limit. */
  get isSet(): boolean {
    return this.#interrupt !== undefined || this.#deadline !== Number.POSITIVE_INFINITY;
  }

  /** Throws `RunTooLong` when the run is over its time, or the error of the chain's interrupt. */
  readonly verify = (): void => {
    this.#interrupt?.();
    if (performance.now() > this.#deadline) throw new RunTooLong(this.#runMs);
  };
}
