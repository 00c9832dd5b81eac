import type { Hash } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";

/** The most recently used code by hash, up to a number of bytes. */
export class CodeCache {
  readonly #codes: LruMap<Hash, Uint8Array>;

  constructor({ maxBytes }: { readonly maxBytes: number }) {
    this.#codes = new LruMap({ max: maxBytes, sizeOf: ({ length }) => length });
  }

  find(hash: Hash): Uint8Array | undefined {
    return this.#codes.get(hash);
  }

  add(hash: Hash, code: Uint8Array): void {
    this.#codes.add(hash, code);
  }
}
