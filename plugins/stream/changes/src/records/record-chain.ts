import { type Hash, PlinthError } from "@plinth/core";
import { type ChangeRecord, hashOfRecord } from "./change-record.js";

/** The last record that a reader knows; before the first one, sequence 0 and the id of the stream. */
export interface RecordPosition {
  readonly sequence: bigint;
  readonly hash: Hash;
}

/** A record that does not follow the last one that its reader knows. */
export class BrokenChain extends PlinthError {
  constructor(message: string) {
    super("CHANGES_BROKEN", { message });
  }
}

/**
 * Verifies that records follow one another: none is missing, repeated or changed.
 *
 * A reader persists `last` together with what it makes of the records.
 */
export class RecordChain {
  #last: RecordPosition;

  constructor(last: RecordPosition) {
    this.#last = last;
  }

  /** The last verified record. */
  get last(): RecordPosition {
    return this.#last;
  }

  /** Throws `BrokenChain` unless a record is the next one. */
  add(record: ChangeRecord): void {
    const { sequence, hash, previous } = record;
    const expected = this.#last.sequence + 1n;
    if (sequence !== expected) {
      throw new BrokenChain(`expected the record ${expected} of the stream, got ${sequence}`);
    }
    if (previous !== this.#last.hash) {
      throw new BrokenChain(
        `the record ${sequence} of the stream follows ${previous}, but the last one known is ${this.#last.hash}: it is another stream, or it has lost records`,
      );
    }
    const actual = hashOfRecord(record);
    if (hash !== actual) {
      throw new BrokenChain(
        `the record ${sequence} of the stream has the hash ${actual}, not ${hash}`,
      );
    }
    this.#last = { sequence, hash };
  }
}
