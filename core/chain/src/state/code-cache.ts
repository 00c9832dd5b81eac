import type { Hash } from "@plinth/core";

/** The code that was used last, by its hash, up to a number of bytes. */
export class CodeCache {
  readonly #maxBytes: number;
  /** The one that was used last comes last. */
  readonly #codes = new Map<Hash, Uint8Array>();
  #bytes = 0;

  constructor({ maxBytes }: { readonly maxBytes: number }) {
    this.#maxBytes = maxBytes;
  }

  find(hash: Hash): Uint8Array | undefined {
    const code = this.#codes.get(hash);
    if (code === undefined) return undefined;
    this.#codes.delete(hash);
    this.#codes.set(hash, code);
    return code;
  }

  add(hash: Hash, code: Uint8Array): void {
    if (this.#codes.has(hash)) return;
    this.#codes.set(hash, code);
    this.#bytes += code.length;
    for (const [oldest, { length }] of this.#codes) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#codes.delete(oldest);
      this.#bytes -= length;
    }
  }
}
