export { decodeChecked, encodeChecked } from "./checked-json.js";
export { storageDrivers } from "./drivers.js";
export { openToPlugins, type PluginTableKind, type TableChange } from "./plugin-table.js";
export { readOnly } from "./read-only-store.js";
export { replaceFile } from "./replace-file.js";
export type {
  CopiedFiles,
  Entry,
  ForkedFiles,
  KeyRange,
  Snapshot,
  StorageFiles,
  StoragePlace,
  StoredDamage,
  StoredEntry,
  StoredItem,
  Table,
  WriteBatch,
} from "./store.js";
export {
  SYNC_MODES,
  type SyncedStore,
  type SyncFollower,
  type SyncMode,
  syncWrites,
} from "./sync-writes.js";
export { verifyTableName } from "./table-name.js";
export { TABLES } from "./tables.js";
