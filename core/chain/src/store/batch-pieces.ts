import type { KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";

/** Size at which a batch is written. */
export const BATCH_BYTES = 1024 * 1024;

/** Batches of bounded size; they are written in order, each before the next one is filled. */
export class BatchPieces {
  readonly #store: KeyValueStore | undefined;
  readonly #maxBytes: number;
  #batch: WriteBatch | undefined;
  #bytes = 0;

  constructor(store: KeyValueStore | undefined, maxBytes = BATCH_BYTES) {
    this.#store = store;
    this.#maxBytes = maxBytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#maxBytes;
  }

  put(table: string, key: Uint8Array, value: Uint8Array): void {
    if (this.#store === undefined) return;
    this.#batch ??= this.#store.batch();
    this.#batch.put(table, key, value);
    this.#bytes += key.length + value.length;
  }

  async commit(): Promise<void> {
    const batch = this.#batch;
    this.#batch = undefined;
    this.#bytes = 0;
    await batch?.commit();
  }
}
