import type { Table } from "@plinth/core/storage";
import { blockOf, postingKey } from "./posting-key.js";

const FEWEST = 8;
const MOST = 1024;

/** Iterates over the postings of a value in ascending order; reads ahead on sequential access. */
export class PostingCursor {
  readonly #table: Table;
  readonly #prefix: Uint8Array;
  readonly #last: bigint;
  #numbers: readonly bigint[] = [];
  #index = 0;
  #count = FEWEST;
  #isAtEnd = false;

  constructor(table: Table, prefix: Uint8Array, last: bigint) {
    this.#table = table;
    this.#prefix = prefix;
    this.#last = last;
  }

  /**
   * The first block from this one on; `undefined` if there is none. Arguments must ascend from call
   * to call.
   */
  async seek(number: bigint): Promise<bigint | undefined> {
    for (; this.#index < this.#numbers.length; this.#index++) {
      const found = this.#numbers[this.#index];
      if (found !== undefined && found >= number) return found;
    }
    if (this.#isAtEnd) return undefined;
    const isNext = number - 1n === this.#numbers.at(-1);
    this.#count = isNext ? Math.min(this.#count * 4, MOST) : FEWEST;
    await this.#read(number);
    return this.#numbers[0];
  }

  async #read(number: bigint): Promise<void> {
    const numbers: bigint[] = [];
    const range = {
      from: postingKey(this.#prefix, number),
      to: postingKey(this.#prefix, this.#last + 1n),
      limit: this.#count,
    };
    for await (const [key] of this.#table.iterate(range)) numbers.push(blockOf(key));
    this.#numbers = numbers;
    this.#index = 0;
    this.#isAtEnd = numbers.length < this.#count;
  }
}
