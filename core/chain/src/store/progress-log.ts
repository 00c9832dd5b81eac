import type { Logger } from "@plinth/core";

const FIRST_MS = 2_000;
const EVERY_MS = 5_000;

/** Logs the progress of long work: nothing in the first two seconds, then every five. */
export class ProgressLog {
  readonly #log: Pick<Logger, "info">;
  readonly #now: () => number;
  #next: number;

  constructor(log: Pick<Logger, "info">, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
    this.#next = now() + FIRST_MS;
  }

  report(text: () => string): void {
    if (this.#now() < this.#next) return;
    this.#next = this.#now() + EVERY_MS;
    this.#log.info(text());
  }
}
