import type { Block, Clock } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import { count } from "./block-line.js";
import { grouped } from "./grouped.js";

/** Statistics since the node started. */
export class Summary {
  readonly #clock: Pick<Clock, "now">;
  readonly #begun: number;
  #blocks = 0;
  #transactions = 0;
  #failures = 0;
  #gas = 0n;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
    this.#begun = clock.now();
  }

  add({ header, body }: Block, results: readonly EvmResult[]): void {
    this.#blocks += 1;
    this.#transactions += body.transactions.length;
    this.#failures += results.filter(({ outcome }) => outcome !== "success").length;
    this.#gas += header.gasUsed;
  }

  /** One line for the end. */
  format(): string {
    const seconds = Math.round((this.#clock.now() - this.#begun) / 1000);
    const blocks = count(this.#blocks, "block");
    const transactions = count(this.#transactions, "transaction");
    const gas = grouped(this.#gas);
    return `${blocks} with ${transactions} (${this.#failures} failed) and ${gas} gas in ${count(seconds, "second")}`;
  }
}
