import type { Hash, Log, SealedHeader } from "@plinth/core";
import type { Reading } from "../reading.js";

/** Where a log stands. */
interface LogPlace {
  readonly log: Log;
  readonly header: SealedHeader;
  readonly transaction: object;
  /** Counted within the block. */
  readonly index: number;
}

/** What a contract logged. */
export class LogView {
  readonly place: LogPlace;
  readonly #reader: Reading;

  constructor(reader: Reading, place: LogPlace) {
    this.#reader = reader;
    this.place = place;
  }

  get index(): number {
    return this.place.index;
  }

  get topics(): readonly Hash[] {
    return this.place.log.topics;
  }

  get data(): Uint8Array {
    const { data } = this.place.log;
    this.#reader.context.budget.take(2 * data.length);
    return data;
  }

  get transaction(): object {
    return this.place.transaction;
  }

  /** What identifies it where answers are kept by what they were asked of. */
  toJSON(): object {
    return { log: this.place.index, block: this.place.header.hash };
  }
}
