import {
  createMemoryStorageDriver,
  definePlugin,
  type KeyValueStore,
  type Plugin,
} from "@plinth/core";

/** The name of the driver for test nodes. */
export const KEPT_STORAGE = "test-memory";

/** A storage driver in memory whose content survives when a node of the same test reopens it. */
export function createKeptStorage(): Plugin {
  let store: KeyValueStore | undefined;
  const open = async (): Promise<KeyValueStore> => {
    store ??= await createMemoryStorageDriver().open({ folder: "" });
    const kept = store;
    return {
      table: (name) => kept.table(name),
      batch: () => kept.batch(),
      snapshot: () => kept.snapshot(),
      ...(kept.tableSizes && { tableSizes: kept.tableSizes.bind(kept) }),
      ...(kept.sync && { sync: kept.sync.bind(kept) }),
      close: async () => {},
    };
  };
  return definePlugin({
    name: "storage-test",
    setup: ({ storage }) => storage.driver({ name: KEPT_STORAGE, open }),
  });
}
