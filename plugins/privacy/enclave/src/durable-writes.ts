import type { KeyValueStore } from "@plinth/core";
import { Mutex } from "@plinth/core/async";
import type { WriteBatch } from "@plinth/core/storage";

/**
 * Writes that are on the disk when they resolve.
 *
 * Those that come while others are being written go out together: a disk takes as long for one as for many.
 */
export class DurableWrites {
  readonly #store: KeyValueStore;
  #open: { readonly batch: WriteBatch; readonly done: Promise<void> } | undefined;
  readonly #commits = new Mutex();

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** `fill` puts what belongs together into a batch. */
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
