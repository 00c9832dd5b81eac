import { createMemoryStorageDriver, type KeyValueStore } from "@plinth/core";

/** A store that a power failure reverts to what was synced, and possibly a few commits more. */
export interface PowerFailingStore extends KeyValueStore {
  sync(): Promise<void>;
  /**
   * Cuts the power: later writes are lost, and so is what was not synced, from a random commit on.
   */
  fail(random: () => number): void;
  /** Switches it on again. */
  revive(): Promise<void>;
}

interface Change {
  readonly table: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Creates an empty one. */
export async function createPowerFailingStore(): Promise<PowerFailingStore> {
  let live = await createStore();
  /** Every commit so far, in order. */
  let commits: (readonly Change[])[] = [];
  let synced = 0;
  let isOff = false;
  const verifyOn = () => {
    if (isOff) throw new Error("the power is off");
  };
  return {
    table: (name) => live.table(name),
    snapshot: () => live.snapshot(),
    close: async () => {},
    batch() {
      const changes: Change[] = [];
      return {
        put: (table, key, value) =>
          changes.push({ table, key: Uint8Array.from(key), value: Uint8Array.from(value) }),
        delete: (table, key) =>
          changes.push({ table, key: Uint8Array.from(key), value: undefined }),
        async commit(options) {
          verifyOn();
          commits.push(changes);
          if (options?.durable === true) synced = commits.length;
          await apply(live, [changes]);
        },
      };
    },
    async sync() {
      verifyOn();
      const covered = commits.length;
      // A disk takes time; commits meanwhile are not covered.
      await new Promise((done) => setTimeout(done, 1));
      verifyOn();
      synced = Math.max(synced, covered);
    },
    fail(random) {
      isOff = true;
      const kept = synced + Math.floor(random() * (commits.length - synced + 1));
      commits = commits.slice(0, kept);
      synced = kept;
    },
    async revive() {
      live = await createStore();
      await apply(live, commits);
      isOff = false;
    },
  };
}

function createStore(): Promise<KeyValueStore> {
  return createMemoryStorageDriver().open({ folder: "" });
}

async function apply(store: KeyValueStore, commits: readonly (readonly Change[])[]): Promise<void> {
  const batch = store.batch();
  for (const { table, key, value } of commits.flat()) {
    if (value === undefined) batch.delete(table, key);
    else batch.put(table, key, value);
  }
  await batch.commit();
}
