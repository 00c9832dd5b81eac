import { setImmediate } from "node:timers/promises";
import type { Clock, Logger } from "@plinth/core";
import type { LogIndex } from "./log-index.js";

const REPORT_MS = 10_000;

/** Adds to the index, in the background, the blocks that were there before it. */
export class IndexBuilder {
  readonly #index: LogIndex;
  readonly #log: Logger;
  readonly #added: (postings: number) => void;
  #wake: () => void = () => {};

  constructor(
    index: LogIndex,
    { log, added }: { readonly log: Logger; readonly added: (postings: number) => void },
  ) {
    this.#index = index;
    this.#log = log;
    this.#added = added;
  }

  /** There is a new head. */
  headMoved(): void {
    this.#wake();
  }

  /** Works until the signal aborts. */
  async run(clock: Clock, signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      const moved = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await this.#fill(clock, signal);
      await moved;
    }
  }

  async #fill(clock: Clock, signal: AbortSignal): Promise<void> {
    let reportAt = clock.now();
    let hasReported = false;
    while (!signal.aborted) {
      const postings = await this.#index.fill();
      if (postings === undefined) break;
      this.#added(postings);
      if (!this.#index.isComplete && clock.now() >= reportAt) {
        this.#log.info(`The log index has ${this.#index.blockCount} blocks; more are added.`);
        hasReported = true;
        reportAt = clock.now() + REPORT_MS;
      }
      await setImmediate();
    }
    if (hasReported && this.#index.isComplete) this.#log.info("The log index has every block.");
  }
}
