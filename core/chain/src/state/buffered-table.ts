import type { Hash } from "@plinth/core";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { bytesOf } from "./state-values.js";

/** A table with keys that are hashes, and before it what has not been committed yet. */
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
   * Puts everything in the buffer into a batch.
   *
   * It can be read all along; call what is returned after the commit, to let go of it.
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
