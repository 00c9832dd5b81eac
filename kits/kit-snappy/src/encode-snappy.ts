import { COPY_1, COPY_2 } from "./tags.js";

/** Copies reach back at most 64 KiB, so the input is compressed in blocks of that size. */
const BLOCK_BYTES = 65_536;
const HASH_BITS = 14;
/** Shorter inputs contain no copy worth searching for. */
const MIN_COMPRESSED = 16;

/** Compresses; the output is at most a sixth and 32 bytes longer than the input. */
export function encodeSnappy(input: Uint8Array): Uint8Array {
  const writer = new SnappyWriter(input);
  const table = new Uint16Array(1 << HASH_BITS);
  for (let start = 0; start < input.length; start += BLOCK_BYTES) {
    writer.block(start, Math.min(input.length, start + BLOCK_BYTES), table.fill(0));
  }
  return writer.finish();
}

class SnappyWriter {
  readonly #input: Uint8Array;
  readonly #output: Uint8Array;
  #at = 0;

  constructor(input: Uint8Array) {
    this.#input = input;
    this.#output = new Uint8Array(32 + input.length + Math.ceil(input.length / 6));
    let rest = input.length;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#put((rest & 0x7f) | 0x80);
    this.#put(rest);
  }

  finish(): Uint8Array {
    return this.#output.slice(0, this.#at);
  }

  /** Finds copies by the hash of four bytes; positions in the table are relative to the block. */
  block(start: number, end: number, table: Uint16Array): void {
    let written = start;
    if (end - start >= MIN_COMPRESSED) {
      const last = end - 4;
      let misses = 0;
      for (let at = start + 1; at <= last; ) {
        const hash = this.#hashAt(at);
        const candidate = start + (table[hash] ?? 0);
        table[hash] = at - start;
        if (candidate >= at || !this.#isSame(candidate, at)) {
          // The longer nothing is found, the fewer positions are tried.
          misses += 1;
          at += 1 + (misses >> 5);
          continue;
        }
        misses = 0;
        this.#literal(written, at);
        let length = 4;
        while (at + length < end && this.#input[candidate + length] === this.#input[at + length]) {
          length += 1;
        }
        this.#copy(at - candidate, length);
        at += length;
        written = at;
      }
    }
    this.#literal(written, end);
  }

  #put(byte: number): void {
    this.#output[this.#at] = byte;
    this.#at += 1;
  }

  #literal(from: number, to: number): void {
    const length = to - from;
    if (length === 0) return;
    const rest = length - 1;
    if (rest < 60) this.#put(rest << 2);
    else if (rest < 256) {
      this.#put(60 << 2);
      this.#put(rest);
    } else {
      this.#put(61 << 2);
      this.#put(rest & 0xff);
      this.#put(rest >> 8);
    }
    this.#output.set(this.#input.subarray(from, to), this.#at);
    this.#at += length;
  }

  #copy(offset: number, length: number): void {
    let rest = length;
    for (; rest >= 68; rest -= 64) this.#longCopy(offset, 64);
    if (rest > 64) {
      // The last copy has at least four bytes.
      this.#longCopy(offset, 60);
      rest -= 60;
    }
    if (rest >= 12 || offset >= 2048) this.#longCopy(offset, rest);
    else {
      this.#put(((offset >> 8) << 5) | ((rest - 4) << 2) | COPY_1);
      this.#put(offset & 0xff);
    }
  }

  #longCopy(offset: number, length: number): void {
    this.#put(((length - 1) << 2) | COPY_2);
    this.#put(offset & 0xff);
    this.#put(offset >> 8);
  }

  #isSame(one: number, other: number): boolean {
    const input = this.#input;
    return (
      input[one] === input[other] &&
      input[one + 1] === input[other + 1] &&
      input[one + 2] === input[other + 2] &&
      input[one + 3] === input[other + 3]
    );
  }

  #hashAt(at: number): number {
    const input = this.#input;
    const word =
      (input[at] ?? 0) |
      ((input[at + 1] ?? 0) << 8) |
      ((input[at + 2] ?? 0) << 16) |
      ((input[at + 3] ?? 0) << 24);
    return Math.imul(word, 0x1e35a7bd) >>> (32 - HASH_BITS);
  }
}
