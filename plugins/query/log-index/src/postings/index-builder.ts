import { type Clock, type Logger, yieldToLoop } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import type { StoredLogIndex } from "./stored-log-index.js";

const REPORT_MS = 10_000;

/** Adds older blocks to the index in the background. */
export class IndexBuilder {
  readonly #index: StoredLogIndex;
  readonly #log: Logger;
  readonly #added: (postings: number) => void;
  /** Whether completion is still to be logged. */
  #isAwaited = true;
  readonly #moved = new Signal();

  constructor(
    index: StoredLogIndex,
    { log, added }: { readonly log: Logger; readonly added: (postings: number) => void },
  ) {
    this.#index = index;
    this.#log = log;
    this.#added = added;
  }

  /** Called on a new head. */
  headMoved(): void {
    this.#moved.notify();
  }

  /** Runs until the signal aborts. */
  async run(clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const moved = this.#moved.nextWithin({ signal });
      await this.#fill(clock, signal);
      await moved;
    }
  }

  async #fill(clock: Clock, signal: AbortSignal): Promise<void> {
    let reportAt = clock.now();
    while (!signal.aborted) {
      const postings = await this.#index.fill();
      if (postings === undefined) break;
      this.#added(postings);
      this.#log.debug(`indexed ${postings} logs, up to block ${this.#index.blockCount}`);
      if (!this.#index.isComplete && clock.now() >= reportAt) {
        this.#log.info(`The log index has ${this.#index.blockCount} blocks and is catching up.`);
        this.#isAwaited = true;
        reportAt = clock.now() + REPORT_MS;
      }
      await yieldToLoop();
    }
    if (!this.#isAwaited || !this.#index.isComplete) return;
    this.#log.info("The log index is complete.");
    this.#isAwaited = false;
  }
}
