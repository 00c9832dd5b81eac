import type { Hash, Log, SealedHeader } from "@plinth/core";
import type { ChainSource } from "../chain-source.js";

/** The position of a log. */
interface LogPlace {
  readonly log: Log;
  readonly header: SealedHeader;
  readonly transaction: object;
  /** Index within the block. */
  readonly index: number;
}

/** A log of a contract. */
export class LogView {
  readonly place: LogPlace;
  readonly #reader: ChainSource;

  constructor(reader: ChainSource, place: LogPlace) {
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

  /** Key of the object in the loader cache. */
  toJSON(): object {
    return { log: this.place.index, block: this.place.header.hash };
  }
}
