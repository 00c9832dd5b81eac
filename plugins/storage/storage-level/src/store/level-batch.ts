import { StorageError } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import { sealValue } from "../value-checksum.js";
import { joined } from "./table-keys.js";

/** A change of one entry. */
export interface Change {
  readonly table: string;
  /** With the prefix of its table. */
  readonly key: Uint8Array;
  /** `undefined` deletes the key. */
  readonly value: Uint8Array | undefined;
}

/**
 * Collects changes and writes them at the end.
 *
 * LevelDB's own chained batch would save a copy, but one that is never written stays in memory.
 */
export class LevelBatch implements WriteBatch {
  readonly #prefixOf: (table: string) => Uint8Array;
  readonly #write: (changes: readonly Change[], durable: boolean) => Promise<void>;
  readonly #changes: Change[] = [];
  #isCommitted = false;

  constructor(parts: {
    readonly prefixOf: (table: string) => Uint8Array;
    readonly write: (changes: readonly Change[], durable: boolean) => Promise<void>;
  }) {
    this.#prefixOf = parts.prefixOf;
    this.#write = parts.write;
  }

  put(table: string, key: Uint8Array, value: Uint8Array): void {
    this.#verifyPending();
    const full = joined(this.#prefixOf(table), key);
    this.#changes.push({ table, key: full, value: sealValue(full, value) });
  }

  delete(table: string, key: Uint8Array): void {
    this.#verifyPending();
    this.#changes.push({ table, key: joined(this.#prefixOf(table), key), value: undefined });
  }

  async commit({ durable = false }: { readonly durable?: boolean } = {}): Promise<void> {
    this.#verifyPending();
    this.#isCommitted = true;
    await this.#write(this.#changes, durable);
  }

  #verifyPending(): void {
    if (this.#isCommitted) {
      throw new StorageError("BATCH_COMMITTED", {
        message: "the batch is already committed; create another one",
      });
    }
  }
}
