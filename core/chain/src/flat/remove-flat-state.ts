import type { KeyValueStore } from "@plinth/core";
import { TABLES } from "@plinth/core/storage";
import { firstKept, firstKeptEntry } from "./history/kept-history.js";

const FLAT_TABLES = [
  TABLES.accounts,
  TABLES.slots,
  TABLES.history,
  TABLES.stateChanges,
  TABLES.sideChanges,
  TABLES.accountNodes,
  TABLES.storageNodes,
] as const;
const ENTRIES_AT_ONCE = 10_000;

/** Removes everything of the flat layout except its name. */
export async function removeFlatState(store: KeyValueStore): Promise<void> {
  for (const table of FLAT_TABLES) await removeTable(store, table);
  if (firstKept(store.table(TABLES.chain)) === 0) return;
  const batch = store.batch();
  batch.put(TABLES.chain, ...firstKeptEntry(0));
  await batch.commit();
}

/** Removes all entries of a table, in pieces; calls back with the last key of each piece. */
export async function removeTable(
  store: KeyValueStore,
  table: string,
  onPiece?: (key: Uint8Array) => void,
): Promise<void> {
  let batch = store.batch();
  let size = 0;
  for await (const [key] of store.table(table).iterate()) {
    batch.delete(table, key);
    if (++size % ENTRIES_AT_ONCE !== 0) continue;
    await batch.commit();
    batch = store.batch();
    onPiece?.(key);
  }
  if (size % ENTRIES_AT_ONCE !== 0) await batch.commit();
}
