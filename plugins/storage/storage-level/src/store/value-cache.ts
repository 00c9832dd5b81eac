import { dropChecksum } from "../value-checksum.js";
import type { Change } from "./level-batch.js";

/** Entries of each of two generations, and the longest value: together at most about 8 MiB. */
const GENERATION = 8_192;
const MAX_VALUE_BYTES = 512;

/**
 * Values that were read lately, and keys without one, in the thread that writes the database.
 *
 * Every call and every transaction opens a state and reads the same few values; LevelDB takes ten times as long for one.
 */
export class ValueCache {
  #young = new Map<string, Uint8Array | undefined>();
  #old = new Map<string, Uint8Array | undefined>();
  /** The tables that are read: many others are only written. */
  readonly #tables = new Set<string>();
  /** A batch that is being written: the database has the earlier values of its keys or the later ones. */
  #writing: { readonly keys: ReadonlySet<string>; readonly newTables: Set<string> } | undefined;

  /** The value of a key of a table; a copy, which belongs to the caller. */
  find(table: string, key: Uint8Array, read: () => Uint8Array | undefined): Uint8Array | undefined {
    if (!this.#tables.has(table)) {
      // Which of its keys are being written is not known.
      if (this.#writing?.newTables.add(table) !== undefined) return read();
      this.#tables.add(table);
    }
    const text = textOf(key);
    if (this.#young.has(text)) return copyOf(this.#young.get(text));
    if (this.#writing?.keys.has(text)) return read();
    const value = this.#old.has(text) ? this.#old.get(text) : read();
    this.#put(text, value);
    return copyOf(value);
  }

  /** Forgets what a batch changes, until the returned function is called with whether it was written. */
  begin(changes: readonly Change[]): (isWritten: boolean) => void {
    const keys = new Set<string>();
    const known = new Map<string, Uint8Array | undefined>();
    for (const { table, key, value } of changes) {
      if (!this.#tables.has(table)) continue;
      const text = textOf(key);
      keys.add(text);
      const isKnown = this.#young.has(text) || this.#old.has(text) || known.has(text);
      if (isKnown) known.set(text, value && copyOf(dropChecksum(key, value)));
      this.#young.delete(text);
      this.#old.delete(text);
    }
    const newTables = new Set<string>();
    this.#writing = { keys, newTables };
    return (isWritten) => {
      this.#writing = undefined;
      for (const table of newTables) this.#tables.add(table);
      if (isWritten) for (const [text, value] of known) this.#put(text, value);
    };
  }

  /** Evicts a whole generation, which costs less than the order of use. */
  #put(text: string, value: Uint8Array | undefined): void {
    if (value !== undefined && value.length > MAX_VALUE_BYTES) return;
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, value);
  }
}

function copyOf(value: Uint8Array | undefined): Uint8Array | undefined {
  return value && new Uint8Array(value);
}

/** Bytes as text, one character per byte. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
