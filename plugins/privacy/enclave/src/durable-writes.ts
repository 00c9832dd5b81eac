import type { KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";

/**
 * Writes that are on the disk when they resolve.
 *
 * Those that come while others are being written go out together: a disk takes as long for one as for many.
 */
export class DurableWrites {
  readonly #store: KeyValueStore;
  #open: { readonly batch: WriteBatch; readonly done: Promise<void> } | undefined;
  #last: Promise<void> = Promise.resolve();

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
    const done = this.#last.then(() => {
      this.#open = undefined;
      return batch.commit({ durable: true });
    });
    // Those who wait get the error; later writes go on.
    this.#last = done.catch(() => {});
    return { batch, done };
  }
}
