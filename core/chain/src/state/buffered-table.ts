import type { Hash } from "@plinth/core";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { bytesOf } from "./state-values.js";

/** A table keyed by hashes, with a buffer of uncommitted entries. */
export class BufferedTable {
  readonly #name: string;
  readonly #table: Table;
  readonly #buffer = new Map<Hash, Uint8Array>();

  constructor(name: string, source: { table(name: string): Table }) {
    this.#name = name;
    this.#table = source.table(name);
  }

  find(hash: Hash): Uint8Array | undefined {
    return this.#buffer.get(hash) ?? this.#table.getSync(bytesOf(hash));
  }

  add(hash: Hash, bytes: Uint8Array): void {
    this.#buffer.set(hash, bytes);
  }

  /**
   * Adds the whole buffer to a batch.
   *
   * Entries stay readable; call the returned function after the commit to release them.
   */
  writeTo(batch: Pick<WriteBatch, "put">): () => void {
    const written = [...this.#buffer];
    for (const [hash, bytes] of written) batch.put(this.#name, bytesOf(hash), bytes);
    return () => {
      for (const [hash, bytes] of written) {
        // Added again meanwhile: that belongs to a later batch.
        if (this.#buffer.get(hash) === bytes) this.#buffer.delete(hash);
      }
    };
  }
}
