import type { Hash } from "@plinth/core";

/** The hashes that a peer recently had; the oldest are evicted. */
export class KnownItems {
  readonly #max: number;
  readonly #hashes = new Set<Hash>();

  constructor(max: number) {
    this.#max = max;
  }

  has(hash: Hash): boolean {
    return this.#hashes.has(hash);
  }

  /** Adds a hash; returns whether it is new. */
  add(hash: Hash): boolean {
    if (this.#hashes.has(hash)) return false;
    this.#hashes.add(hash);
    if (this.#hashes.size > this.#max) {
      const [oldest] = this.#hashes;
      if (oldest !== undefined) this.#hashes.delete(oldest);
    }
    return true;
  }

  get size(): number {
    return this.#hashes.size;
  }
}
