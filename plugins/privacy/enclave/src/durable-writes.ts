import type { KeyValueStore } from "@plinth/core";
import { Mutex } from "@plinth/core/async";
import type { WriteBatch } from "@plinth/core/storage";

/**
 * Writes that are on disk once they resolve.
 *
 * Writes that arrive while others are in progress are combined: syncing many takes as long as syncing one.
 */
export class DurableWrites {
  readonly #store: KeyValueStore;
  #open: { readonly batch: WriteBatch; readonly done: Promise<void> } | undefined;
  readonly #commits = new Mutex();

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** `fill` adds the related writes to a batch. */
  write(fill: (batch: WriteBatch) => void): Promise<void> {
    this.#open ??= this.#begin();
    const { batch, done } = this.#open;
    fill(batch);
    return done;
  }

  #begin(): { readonly batch: WriteBatch; readonly done: Promise<void> } {
    const batch = this.#store.batch();
    const done = this.#commits.run(() => {
      this.#open = undefined;
      return batch.commit({ durable: true });
    });
    return { batch, done };
  }
}
