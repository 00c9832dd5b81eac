import type { Hash } from "@plinth/core";
import { RemoteInconsistent } from "../remote/errors.js";

const ZERO_KEY = `0x${"00".repeat(32)}`;
/** A node may leave out what a block has removed, but not page after page. */
const MAX_EMPTY = 100;

/** Verifies that the pages of a list come to an end: each begins after the one before, and few have nothing new. */
export class PageOrder {
  readonly #source: string;
  readonly #what: string;
  #empty = 0;

  /** `what` names the entries in messages. */
  constructor(source: string, what: string) {
    this.#source = source;
    this.#what = what;
  }

  /** Where the page after one begins; `undefined` if that was the last one. `added` counts its new entries. */
  next(
    start: Hash,
    { next, added }: { readonly next: Hash | undefined; readonly added: number },
  ): Hash | undefined {
    if (next === undefined || next === ZERO_KEY) return undefined;
    if (next <= start) {
      throw this.#fault(`after the ${this.#what} from ${start} come those from ${next}`);
    }
    this.#empty = added > 0 ? 0 : this.#empty + 1;
    if (this.#empty <= MAX_EMPTY) return next;
    throw this.#fault(`its pages of ${this.#what} up to ${next} have nothing new, and go on`);
  }

  #fault(problem: string): RemoteInconsistent {
    return new RemoteInconsistent(this.#source, problem);
  }
}
