import type { KeyValueStore } from "@plinth/core";

/**
 * A store whose process can die between two writes: later writes are lost, and so are their
 * waiters.
 */
export interface CrashingStore extends KeyValueStore {
  /** Dies after this many more writes. */
  crashAfter(writes: number): void;
  readonly hasCrashed: boolean;
  /** The remaining content, for the next process. */
  revive(): void;
}

/** Stands for the death of the process. */
export class Crash extends Error {}

/** Wraps a store with the ability to die. */
export function createCrashingStore(store: KeyValueStore): CrashingStore {
  let left = Number.POSITIVE_INFINITY;
  return {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
    batch() {
      const batch = store.batch();
      return {
        put: (table, key, value) => batch.put(table, key, value),
        delete: (table, key) => batch.delete(table, key),
        async commit() {
          left -= 1;
          if (left < 0) throw new Crash("the process is dead");
          await batch.commit();
        },
      };
    },
    crashAfter(writes) {
      left = writes;
    },
    get hasCrashed() {
      return left < 0;
    },
    revive() {
      left = Number.POSITIVE_INFINITY;
    },
  };
}
