import { type Clock, type Logger, yieldToLoop } from "@plinth/core";
import { Signal } from "@plinth/core/async";

const REPORT_MS = 10_000;

/** An index that lacks some blocks of the chain. */
export interface FilledIndex {
  /** Number of covered blocks. */
  readonly blockCount: bigint;
  /** Whether every block up to the head is covered that can be. */
  readonly isComplete: boolean;
  /** The first block from which on it can be complete; 0 by default. */
  readonly firstBlock?: bigint | undefined;
  /** Adds the next missing blocks; returns the number of entries, `undefined` if none can be added. */
  fill(signal: AbortSignal): Promise<number | undefined>;
}

/** How progress is reported. */
export interface BuilderSettings {
  /** The index, as logged. */
  readonly title: string;
  /** What its entries are, as logged. */
  readonly entries: string;
  readonly log: Logger;
  readonly added: (entries: number) => void;
}

/** Adds missing blocks to an index in the background. */
export class IndexBuilder {
  readonly #index: FilledIndex;
  readonly #settings: BuilderSettings;
  /** Whether completion is still to be logged. */
  #isAwaited = true;
  readonly #moved = new Signal();

  constructor(index: FilledIndex, settings: BuilderSettings) {
    this.#index = index;
    this.#settings = settings;
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
    const { title, entries, log, added } = this.#settings;
    let reportAt = clock.now();
    while (!signal.aborted) {
      const count = await this.#index.fill(signal);
      if (count === undefined) break;
      added(count);
      log.debug(`indexed ${count} ${entries}, up to block ${this.#index.blockCount}`);
      if (!this.#index.isComplete && clock.now() >= reportAt) {
        log.info(`The ${title} has ${this.#index.blockCount} blocks and is catching up.`);
        this.#isAwaited = true;
        reportAt = clock.now() + REPORT_MS;
      }
      await yieldToLoop();
    }
    if (!this.#isAwaited || !this.#index.isComplete) return;
    const { firstBlock = 0n } = this.#index;
    log.info(`The ${title} is complete${firstBlock > 0n ? ` from block ${firstBlock} on` : ""}.`);
    this.#isAwaited = false;
  }
}
