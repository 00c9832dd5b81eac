import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import type { FlatSettings } from "./flat-settings.js";
import { firstKept, firstKeptEntry } from "./kept-history.js";
import { blockKey, historyKey, isAccountKey } from "./keys.js";
import { decodeChangedKeys } from "./record.js";
import { FlatValues } from "./values.js";

/** Blocks whose history is removed with one new block, if there are many: after the option was lowered. */
const MAX_BLOCKS = 64;

/** Removes what is no longer needed, with every new block as much as it added. */
export class HistoryPruner {
  readonly #settings: FlatSettings;
  readonly #values: FlatValues;
  readonly #changes: Table;
  readonly #chain: Table;

  constructor(settings: FlatSettings) {
    const { store } = settings;
    this.#settings = settings;
    this.#values = new FlatValues(store);
    this.#changes = store.table(TABLES.stateChanges);
    this.#chain = store.table(TABLES.chain);
  }

  /** Adds the removals for a new head to its batch. */
  prune(batch: Pick<WriteBatch, "put" | "delete">, head: number): void {
    const { history, proofBlocks } = this.#settings;
    if (history === undefined) {
      if (head > proofBlocks) batch.delete(TABLES.stateChanges, blockKey(head - proofBlocks));
      return;
    }
    const from = firstKept(this.#chain);
    const to = Math.min(head - Math.max(history, proofBlocks), from + MAX_BLOCKS);
    if (to <= from) return;
    for (let block = from + 1; block <= to; block++) this.#forgetBefore(batch, block);
    batch.put(TABLES.chain, ...firstKeptEntry(to));
  }

  /** Removes the values that a block replaced; nothing if its changes are not known any more. */
  #forgetBefore(batch: Pick<WriteBatch, "put" | "delete">, block: number): void {
    const place = blockKey(block);
    const bytes = this.#changes.getSync(place);
    if (bytes === undefined) return;
    for (const { key, version } of decodeChangedKeys(bytes)) {
      if (version > 0) batch.delete(TABLES.history, historyKey(key, version - 1));
      const latest = this.#values.findLatest(key);
      // The incarnation of an account is needed as long as earlier slots are there.
      const isGone = latest?.since === block && latest.body.length === 0;
      if (isGone && latest.incarnation === 0) {
        batch.delete(isAccountKey(key) ? TABLES.accounts : TABLES.slots, key);
      }
    }
    batch.delete(TABLES.stateChanges, place);
  }
}
