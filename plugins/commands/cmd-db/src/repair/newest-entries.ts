import type { KeyValueStore } from "@plinth/core";
import type { StoredEntry } from "@plinth/core/storage";
import { EntryWriter } from "./entry-writer.js";

/** The table of entries until the latest of each key is known. */
const SALVAGED = "salvaged-entries";
const LENGTH_BYTES = 4;
const SEQUENCE_BYTES = 8;

/**
 * Of entries with the same key the one that was written last.
 *
 * All of them are written to a table, in which those of a key follow each other in the order in which they were
 * written: memory does not limit how many there are.
 */
export class NewestEntries {
  readonly #store: KeyValueStore;
  readonly #target: EntryWriter;
  readonly #waiting: EntryWriter;

  constructor(store: KeyValueStore, target: EntryWriter) {
    this.#store = store;
    this.#target = target;
    this.#waiting = new EntryWriter(store);
  }

  async add({ table, key, value, sequence }: StoredEntry): Promise<void> {
    const place = placeOf(`${table} `, key, sequence);
    // The first byte distinguishes an empty value from a deleted one.
    const bytes = value === undefined ? [] : [Uint8Array.of(1), value];
    await this.#waiting.put({ table: SALVAGED, key: place, value: Buffer.concat(bytes) });
  }

  /** Writes the latest entry of each key to its table, and removes the others. */
  async finish(): Promise<void> {
    await this.#waiting.flush();
    let last: { readonly place: Uint8Array; readonly value: Uint8Array } | undefined;
    for await (const [place, value] of this.#store.table(SALVAGED).iterate()) {
      if (last !== undefined && !isSameKey(last.place, place)) await this.#write(last);
      last = { place, value };
      await this.#waiting.delete(SALVAGED, place);
    }
    if (last !== undefined) await this.#write(last);
    await this.#waiting.flush();
  }

  async #write({ place, value }: { readonly place: Uint8Array; readonly value: Uint8Array }) {
    if (value.length === 0) return;
    const { table, key } = splitPlace(place);
    await this.#target.put({ table, key, value: value.subarray(1) });
  }
}

/** With its length before the key: keys that continue others must not be in between. */
function placeOf(table: string, key: Uint8Array, sequence: bigint): Uint8Array {
  const numbers = Buffer.alloc(LENGTH_BYTES + SEQUENCE_BYTES);
  numbers.writeUInt32BE(key.length);
  numbers.writeBigUInt64BE(sequence, LENGTH_BYTES);
  const length = numbers.subarray(0, LENGTH_BYTES);
  return Buffer.concat([Buffer.from(table), length, key, numbers.subarray(LENGTH_BYTES)]);
}

function splitPlace(place: Uint8Array): { readonly table: string; readonly key: Uint8Array } {
  const end = place.indexOf(0x20);
  const key = place.subarray(end + 1 + LENGTH_BYTES, place.length - SEQUENCE_BYTES);
  return { table: Buffer.from(place.subarray(0, end)).toString(), key };
}

function isSameKey(a: Uint8Array, b: Uint8Array): boolean {
  const [keyA, keyB] = [a, b].map((place) => place.subarray(0, place.length - SEQUENCE_BYTES));
  return Buffer.compare(keyA as Uint8Array, keyB as Uint8Array) === 0;
}
