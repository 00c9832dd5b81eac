import type { KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import type { TableEntry } from "./verify-entry.js";

const MAX_ENTRIES = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Writes entries in batches of limited size. */
export class EntryWriter {
  readonly #store: KeyValueStore;
  #batch: WriteBatch;
  #entries = 0;
  #bytes = 0;
  /** Number of entries that were put. */
  count = 0;

  constructor(store: KeyValueStore) {
    this.#store = store;
    this.#batch = store.batch();
  }

  async put({ table, key, value }: TableEntry): Promise<void> {
    this.#batch.put(table, key, value);
    this.count += 1;
    await this.#added(key.length + value.length);
  }

  async delete(table: string, key: Uint8Array): Promise<void> {
    this.#batch.delete(table, key);
    await this.#added(key.length);
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = this.#store.batch();
    this.#entries = 0;
    this.#bytes = 0;
    await batch.commit();
  }

  async #added(bytes: number): Promise<void> {
    this.#entries += 1;
    this.#bytes += bytes;
    if (this.#entries >= MAX_ENTRIES || this.#bytes >= MAX_BYTES) await this.flush();
  }
}
