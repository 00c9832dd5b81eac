import type { Logger } from "@plinth/core";
import { ProgressLog } from "../store/progress-log.js";

/** Logs how far block 0 is. */
export class GenesisProgress {
  readonly #log: ProgressLog;

  constructor(log: Pick<Logger, "info">) {
    this.#log = new ProgressLog(log);
  }

  /** The share of the file that was read, from 0 to 1. */
  reading(share: number): void {
    this.#log.report(() => `Reading the accounts of the genesis file (${percent(share)} %)`);
  }

  /** The number of accounts that were written. */
  writing(done: number, count: number): void {
    this.#log.report(() => {
      const [part, whole] = [done, count].map((each) => each.toLocaleString("en"));
      return `Creating the genesis state: ${part} of ${whole} accounts (${percent(done / count)} %)`;
    });
  }
}

function percent(share: number): number {
  return Math.floor(share * 100);
}
