import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import type { HeadMove } from "../../state/state-layout.js";
import { type FlatSettings, firstWithChanges } from "../flat-settings.js";
import { blockKey, historyKey, isAccountKey } from "../keys.js";
import { decodeChangedKeys } from "../record.js";
import { FlatValues } from "../values.js";
import { firstKept, firstKeptEntry } from "./kept-history.js";

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

  /** Adds the removals for a new head to its batch; call it before values are added. */
  prune(
    batch: Pick<WriteBatch, "put" | "delete">,
    { head, added }: Omit<HeadMove, "removed">,
  ): void {
    const { history, proofBlocks } = this.#settings;
    if (history === undefined) {
      for (const { number } of added) {
        const block = firstWithChanges(Number(number), this.#settings) - 1;
        if (block > 0) batch.delete(TABLES.stateChanges, blockKey(block));
      }
      return;
    }
    const from = firstKept(this.#chain);
    // Later blocks are not those of the new chain yet.
    const ancestor = Number(head.number) - added.length;
    const oldest = Number(head.number) - Math.max(history, proofBlocks);
    const to = Math.min(oldest, ancestor, from + MAX_BLOCKS);
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
      if (isGone && latest.incarnation === 0 && this.#settings.keepsRemovals !== true) {
        batch.delete(isAccountKey(key) ? TABLES.accounts : TABLES.slots, key);
      }
    }
    batch.delete(TABLES.stateChanges, place);
  }
}
