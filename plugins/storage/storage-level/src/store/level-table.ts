import type { Entry, KeyRange, Table } from "@plinth/core/storage";
import { readFailure } from "../level-errors.js";
import type { ValueReader } from "../value-checksum.js";
import type { Level, ReadOptions } from "./level.js";
import { endOf, joined } from "./table-keys.js";
import type { ValueCache } from "./value-cache.js";

/** Number of entries an iteration fetches at a time; LevelDB stops earlier, after 16 kB. */
const ENTRIES_AT_A_TIME = 1000;

/** What a table reads from: the store or a snapshot of it. */
export interface View {
  readonly options: ReadOptions;
  /** Values that were read lately; a snapshot has none. */
  readonly cache?: ValueCache | undefined;
  verifyOpen(): void;
}

/** A table of the store, or of a snapshot. */
export class LevelTable implements Table {
  readonly #level: Level;
  readonly #folder: string;
  readonly #openValue: ValueReader;
  readonly #name: string;
  readonly #prefix: Uint8Array;
  readonly #options: ReadOptions;
  readonly #cache: ValueCache | undefined;
  readonly #verifyOpen: () => void;

  constructor(
    parts: View & {
      readonly level: Level;
      readonly folder: string;
      readonly read: ValueReader;
      readonly name: string;
      readonly prefix: Uint8Array;
    },
  ) {
    this.#openValue = parts.read;
    this.#level = parts.level;
    this.#folder = parts.folder;
    this.#name = parts.name;
    this.#prefix = parts.prefix;
    this.#options = parts.options;
    this.#cache = parts.cache;
    this.#verifyOpen = parts.verifyOpen;
  }

  getSync(key: Uint8Array): Uint8Array | undefined {
    this.#verifyOpen();
    const full = joined(this.#prefix, key);
    const read = () => {
      const stored = this.#readSync(full);
      return stored && this.#openValue(full, stored);
    };
    return this.#cache === undefined ? read() : this.#cache.find(this.#name, full, read);
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    this.#verifyOpen();
    const full = joined(this.#prefix, key);
    const stored = await this.#read(full);
    return stored && this.#openValue(full, stored);
  }

  #readSync(key: Uint8Array): Uint8Array | undefined {
    try {
      return this.#level.getSync(key, this.#options);
    } catch (error) {
      throw readFailure(this.#folder, error);
    }
  }

  async #read(key: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      return await this.#level.get(key, this.#options);
    } catch (error) {
      throw readFailure(this.#folder, error);
    }
  }

  async *iterate(range: KeyRange = {}): AsyncIterableIterator<Entry> {
    this.#verifyOpen();
    const walk = this.#level.iterator({ ...this.#bounds(range), ...this.#options });
    const fetchEntries = async () => {
      try {
        return await walk.nextv(ENTRIES_AT_A_TIME);
      } catch (error) {
        throw readFailure(this.#folder, error);
      }
    };
    try {
      for (let entries = await fetchEntries(); entries.length > 0; entries = await fetchEntries()) {
        for (const [key, value] of entries) {
          yield [plain(key.subarray(this.#prefix.length)), this.#openValue(key, value)];
          this.#verifyOpen();
        }
      }
    } finally {
      await walk.close();
    }
  }

  #bounds({ from = new Uint8Array(), to, reverse = false, limit = -1 }: KeyRange) {
    return {
      gte: joined(this.#prefix, from),
      lt: to === undefined ? endOf(this.#prefix) : joined(this.#prefix, to),
      reverse,
      limit,
    };
  }
}

/**
 * LevelDB returns Buffers, whose `slice` shares memory; returns the same bytes as a plain array.
 */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
