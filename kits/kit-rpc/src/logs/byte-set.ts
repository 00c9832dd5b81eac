import { type Hex, hexToBytes, toHex } from "@plinth/core";

/** Up to this many values, comparing all of them takes less time than the hex digits of the one that is looked up. */
const MAX_COMPARED = 16;

/** Addresses or topics that are looked up as bytes. */
export class ByteSet {
  readonly #texts: ReadonlySet<Hex>;
  readonly #values: readonly Uint8Array[];

  constructor(texts: readonly Hex[]) {
    this.#texts = new Set(texts);
    this.#values = [...this.#texts].map(hexToBytes);
  }

  get size(): number {
    return this.#values.length;
  }

  has(text: Hex): boolean {
    return this.#texts.has(text);
  }

  /** Whether the bytes at an offset start with a value. */
  hasAt(bytes: Uint8Array, at: number): boolean {
    if (this.#values.length <= MAX_COMPARED) {
      for (const value of this.#values) if (isAt(bytes, at, value)) return true;
      return false;
    }
    const length = this.#values[0]?.length ?? 0;
    return this.#texts.has(toHex(bytes.subarray(at, at + length)));
  }
}

/** From the end, where most values differ: addresses and numbers in topics begin with zeros. */
function isAt(bytes: Uint8Array, at: number, value: Uint8Array): boolean {
  for (let index = value.length - 1; index >= 0; index--) {
    if (bytes[at + index] !== value[index]) return false;
  }
  return true;
}
