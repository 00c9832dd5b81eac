import { type Clock, type Logger, nextTurn } from "@plinth/core";
import type { StoredLogIndex } from "./stored-log-index.js";

const REPORT_MS = 10_000;

/** Adds to the index, in the background, the blocks that were there before it. */
export class IndexBuilder {
  readonly #index: StoredLogIndex;
  readonly #log: Logger;
  readonly #added: (postings: number) => void;
  /** Whether completion is still to be logged. */
  #isAwaited = true;
  #wake: () => void = () => {};

  constructor(
    index: StoredLogIndex,
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
      await nextTurn();
    }
    if (!this.#isAwaited || !this.#index.isComplete) return;
    this.#log.info("The log index is complete.");
    this.#isAwaited = false;
  }
}
