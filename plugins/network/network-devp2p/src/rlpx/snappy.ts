import { PeerError, Yielder } from "@plinth/core";

// The raw block format of Snappy: a length, then literals and copies of what was written before.
const LITERAL = 0;
const COPY_1 = 1;
const COPY_2 = 2;
/** Copies reach back at most 64 KiB, so the input is worked on in blocks of that size. */
const BLOCK_BYTES = 65_536;
const HASH_BITS = 14;
/** Literals and copies that are read at once: a few milliseconds of work, whatever they are. */
const PARTS_AT_ONCE = 20_000;
/** Shorter inputs hold no copy that would be worth looking for. */
const MIN_COMPRESSED = 16;

/** The length that compressed bytes declare; throws when they declare none below 2^32. */
export function readSnappyLength(input: Uint8Array): number {
  return readLength(input).length;
}

/** Inflates at once; what is declared to be larger than allowed is refused before anything is reserved for it. */
export function decodeSnappy(input: Uint8Array, maxBytes: number): Uint8Array {
  const inflation = new Inflation(input, maxBytes);
  while (!inflation.run(Number.POSITIVE_INFINITY));
  return inflation.output;
}

/** Inflates as `decodeSnappy` does; others run in between. */
export async function decodeSnappyInTurns(
  input: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  const inflation = new Inflation(input, maxBytes);
  const turns = new Yielder();
  while (!inflation.run(PARTS_AT_ONCE)) await turns.yield();
  return inflation.output;
}

/** Compressed bytes on their way to what they were. */
class Inflation {
  readonly output: Uint8Array;
  readonly #input: Uint8Array;
  #from: number;
  #to = 0;

  constructor(input: Uint8Array, maxBytes: number) {
    const { length, end } = readLength(input);
    if (length > maxBytes) {
      throw corrupt(`it declares ${length} bytes, expected at most ${maxBytes}`);
    }
    this.#input = input;
    this.#from = end;
    this.output = new Uint8Array(length);
  }

  /** Reads at most so many literals and copies more; whether the output is complete. */
  run(parts: number): boolean {
    const input = this.#input;
    const { output } = this;
    const { length } = output;
    let from = this.#from;
    let to = this.#to;
    for (let part = 0; part < parts && from < input.length; part++) {
      const tag = input[from] ?? 0;
      from += 1;
      const kind = tag & 3;
      if (kind === LITERAL) {
        const extra = Math.max(0, (tag >> 2) - 59);
        const size = (extra === 0 ? tag >> 2 : readLittleEndian(input, from, extra)) + 1;
        from += extra;
        if (from + size > input.length) throw corrupt("a literal ends after the input");
        if (to + size > length) throw corrupt("it is longer than declared");
        output.set(input.subarray(from, from + size), to);
        from += size;
        to += size;
        continue;
      }
      const bytes = kind === COPY_1 ? 1 : kind === COPY_2 ? 2 : 4;
      const size = kind === COPY_1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
      const low = readLittleEndian(input, from, bytes);
      const offset = kind === COPY_1 ? ((tag >> 5) << 8) | low : low;
      from += bytes;
      if (offset === 0 || offset > to)
        throw corrupt(`a copy reaches back ${offset} of ${to} bytes`);
      if (to + size > length) throw corrupt("it is longer than declared");
      // A copy may overlap what it writes: then it repeats a pattern.
      if (offset >= size) output.copyWithin(to, to - offset, to - offset + size);
      else for (let n = 0; n < size; n++) output[to + n] = output[to + n - offset] ?? 0;
      to += size;
    }
    this.#from = from;
    this.#to = to;
    if (from < input.length) return false;
    if (to !== length) throw corrupt(`it has ${to} bytes and declares ${length}`);
    return true;
  }
}

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
          // The longer nothing is found, the fewer places are tried.
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

function readLength(input: Uint8Array): { readonly length: number; readonly end: number } {
  let length = 0;
  for (let index = 0; index < 5; index++) {
    const byte = input[index];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80 && length < 2 ** 32) return { length, end: index + 1 };
  }
  throw corrupt("it declares no length");
}

function readLittleEndian(input: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > input.length) throw corrupt("a tag ends after the input");
  let value = 0;
  for (let index = bytes - 1; index >= 0; index--) value = value * 256 + (input[at + index] ?? 0);
  return value;
}

function corrupt(reason: string): PeerError {
  return new PeerError("breach-of-protocol", `a message is not valid Snappy: ${reason}`);
}
