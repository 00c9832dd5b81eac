import type { BlockReader, KeyValueStore, Logger } from "@plinth/core";
import { StorageError } from "@plinth/core";
import { TABLES } from "@plinth/core/storage";

const KEY = Buffer.from("running");

/**
 * A mark in the database while a node runs on it; if it is present at startup, the last stop was
 * unclean.
 */
export class ShutdownMarker {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Sets the mark; if it was already set, checks the head and logs one line. */
  async set(blocks: BlockReader, log: Logger): Promise<void> {
    if (this.#store.table(TABLES.chain).getSync(KEY) !== undefined) {
      verifyHead(blocks);
      const { number, hash } = blocks.head();
      log.warn(
        `the node was not stopped cleanly; its head, block ${number} (${hash}), was checked: header, body, receipts and state are present`,
      );
    }
    const batch = this.#store.batch();
    batch.put(TABLES.chain, KEY, Uint8Array.of(1));
    await batch.commit({ durable: true });
  }

  /** Removes the mark: everything is written. */
  async clear(): Promise<void> {
    const batch = this.#store.batch();
    batch.delete(TABLES.chain, KEY);
    await batch.commit({ durable: true });
  }
}

/** Throws if something of the head is missing; `db verify` checks everything else. */
function verifyHead(blocks: BlockReader): void {
  const head = blocks.head();
  const missing = [
    ...(blocks.findBlock(head.hash) === undefined ? ["body"] : []),
    ...(blocks.findReceipts(head.hash) === undefined ? ["receipts"] : []),
    ...(blocks.hasState(head) ? [] : ["state"]),
  ];
  if (missing.length === 0) return;
  throw new StorageError("STORAGE_DAMAGED", {
    message: `the node was not stopped cleanly, and its head, block ${head.number} (${head.hash}), lacks: ${missing.join(", ")}; restore the data from a backup, or remove it and synchronize again`,
  });
}
