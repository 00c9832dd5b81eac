import type { Logger } from "@plinth/core";

const FIRST_MS = 2_000;
const EVERY_MS = 5_000;

/** Logs how far block 0 is; nothing if it takes less than two seconds. */
export class GenesisProgress {
  readonly #log: Pick<Logger, "info">;
  readonly #now: () => number;
  #next: number;

  constructor(log: Pick<Logger, "info">, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
    this.#next = now() + FIRST_MS;
  }

  /** The share of the file that was read, from 0 to 1. */
  reading(share: number): void {
    this.#report(() => `Reading the accounts of the genesis file (${percent(share)} %)`);
  }

  /** The number of accounts that were written. */
  writing(done: number, count: number): void {
    this.#report(() => {
      const [part, whole] = [done, count].map((each) => each.toLocaleString("en"));
      return `Creating the genesis state: ${part} of ${whole} accounts (${percent(done / count)} %)`;
    });
  }

  #report(text: () => string): void {
    if (this.#now() < this.#next) return;
    this.#next = this.#now() + EVERY_MS;
    this.#log.info(text());
  }
}

function percent(share: number): number {
  return Math.floor(share * 100);
}
