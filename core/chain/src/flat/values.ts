import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { verifyKept } from "./history/kept-history.js";
import { historyKey, isAccountKey } from "./keys.js";
import { damagedEntry, decodeRecord, type FlatRecord, type FlatValue } from "./record.js";

/** Values of accounts and slots: of the head, and earlier ones. */
export class FlatValues {
  readonly #accounts: Table;
  readonly #slots: Table;
  readonly #history: Table;
  readonly #chain: Table;

  constructor(source: { table(name: string): Table }) {
    this.#accounts = source.table(TABLES.accounts);
    this.#slots = source.table(TABLES.slots);
    this.#history = source.table(TABLES.history);
    this.#chain = source.table(TABLES.chain);
  }

  /** The latest value of a key. */
  findLatest(key: Uint8Array): FlatRecord | undefined {
    const bytes = (isAccountKey(key) ? this.#accounts : this.#slots).getSync(key);
    return bytes && decode(isAccountKey(key) ? TABLES.accounts : TABLES.slots, key, bytes);
  }

  /** An earlier value of a key; `undefined` if it was pruned. */
  findVersion(key: Uint8Array, version: number): FlatRecord | undefined {
    const place = historyKey(key, version);
    const bytes = this.#history.getSync(place);
    return bytes && decode(TABLES.history, place, bytes);
  }

  /**
   * The value of a key after a block.
   *
   * The latest value is read first and earlier ones second: both change in one batch, so a commit between the reads
   * does not matter. Recent blocks take a few reads, old ones as many as the logarithm of the number of changes.
   */
  findAt(key: Uint8Array, block: number): FlatValue | undefined {
    const latest = this.findLatest(key);
    if (latest === undefined) return this.#nothingAt(block);
    if (latest.since <= block) return latest;
    // Versions from `tooNew` on are of later blocks; those up to `old` are not, or are pruned.
    let tooNew = latest.version;
    let old = -1;
    for (let step = 1; tooNew - step > old; step *= 2) {
      const version = tooNew - step;
      if (this.#isLater(key, version, block)) tooNew = version;
      else old = version;
    }
    while (tooNew - old > 1) {
      const middle = Math.floor((old + tooNew) / 2);
      if (this.#isLater(key, middle, block)) tooNew = middle;
      else old = middle;
    }
    if (old === -1) return this.#nothingAt(block);
    const found = this.findVersion(key, old);
    if (found !== undefined) return found;
    verifyKept(this.#chain, block);
    throw damagedEntry(TABLES.history, historyKey(key, old));
  }

  /** No value, unless the state was pruned: the removal of a key is forgotten together with its values. */
  #nothingAt(block: number): undefined {
    verifyKept(this.#chain, block);
  }

  /** Pruned values are older than all others. */
  #isLater(key: Uint8Array, version: number, block: number): boolean {
    const found = this.findVersion(key, version);
    return found !== undefined && found.since > block;
  }
}

function decode(table: string, key: Uint8Array, bytes: Uint8Array): FlatRecord {
  try {
    return decodeRecord(bytes);
  } catch (cause) {
    throw damagedEntry(table, key, cause);
  }
}
