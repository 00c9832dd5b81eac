import type { KeyValueStore } from "@plinth/core";

/** A database whose commits throw the reason of a signal once it is aborted: long work ends between two batches. */
export function abortableStore(
  store: KeyValueStore,
  signal: AbortSignal | undefined,
): KeyValueStore {
  if (signal === undefined) return store;
  return {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
    batch() {
      const batch = store.batch();
      return {
        put: (...entry) => batch.put(...entry),
        delete: (...entry) => batch.delete(...entry),
        async commit(options) {
          signal.throwIfAborted();
          await batch.commit(options);
        },
      };
    },
  };
}
