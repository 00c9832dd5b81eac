import type { Address, Block, StateReader } from "@plinth/core";
import { CONSOLE_ADDRESS } from "./console-log.js";

const MARK = Buffer.from(CONSOLE_ADDRESS.slice(-22), "hex");

/**
 * Detects whether contracts of the chain may write to the console: only then are blocks re-executed
 * for it.
 */
export class ConsoleUsers {
  readonly #checked = new Set<Address>();
  #isSeen: boolean;

  /** An existing chain may already have such contracts. */
  constructor(isContinued: boolean) {
    this.#isSeen = isContinued;
  }

  /** Whether a block may have console output. */
  mayHold({ body }: Block, stateAfter: () => StateReader): boolean {
    for (const { to, data } of body.transactions) {
      if (this.#isSeen) break;
      // Code of new contracts, including those of factories, is in the data of a transaction.
      if (Buffer.from(data).includes(MARK)) this.#isSeen = true;
      else if (to !== undefined && data.length >= 4) this.#check(to, stateAfter);
    }
    return (
      this.#isSeen && body.transactions.some(({ to, data }) => to === undefined || data.length >= 4)
    );
  }

  #check(address: Address, stateAfter: () => StateReader): void {
    if (this.#checked.has(address)) return;
    this.#checked.add(address);
    if (Buffer.from(stateAfter().getCode(address)).includes(MARK)) this.#isSeen = true;
  }
}
