import { Yielder } from "@plinth/core";
import { InvalidSnappy } from "./invalid-snappy.js";
import { COPY_1, COPY_2, LITERAL } from "./tags.js";

/** Number of literals and copies decoded at once: a few milliseconds of work, whatever they are. */
const PARTS_AT_ONCE = 20_000;

/** The declared length of compressed bytes; throws if there is none below 2^32. */
export function readSnappyLength(input: Uint8Array): number {
  return readLength(input).length;
}

/**
 * Decompresses synchronously; a declared length above the limit is rejected before any allocation.
 */
export function decodeSnappy(input: Uint8Array, maxBytes: number): Uint8Array {
  const inflation = new Inflation(input, maxBytes);
  while (!inflation.run(Number.POSITIVE_INFINITY));
  return inflation.output;
}

/** Decompresses like `decodeSnappy`, yielding to the event loop. */
export async function decodeSnappyInTurns(
  input: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  const inflation = new Inflation(input, maxBytes);
  const turns = new Yielder();
  while (!inflation.run(PARTS_AT_ONCE)) await turns.yield();
  return inflation.output;
}

/** A decompression in progress. */
class Inflation {
  readonly output: Uint8Array;
  readonly #input: Uint8Array;
  #from: number;
  #to = 0;

  constructor(input: Uint8Array, maxBytes: number) {
    const { length, end } = readLength(input);
    if (length > maxBytes) {
      throw new InvalidSnappy(`it declares ${length} bytes, expected at most ${maxBytes}`);
    }
    this.#input = input;
    this.#from = end;
    this.output = new Uint8Array(length);
  }

  /**
   * Decodes at most this many further literals and copies; returns whether the output is complete.
   */
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
        if (from + size > input.length) throw new InvalidSnappy("a literal ends after the input");
        if (to + size > length) throw new InvalidSnappy("it is longer than declared");
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
        throw new InvalidSnappy(`a copy reaches back ${offset} of ${to} bytes`);
      if (to + size > length) throw new InvalidSnappy("it is longer than declared");
      // A copy may overlap its own output: then it repeats a pattern.
      if (offset >= size) output.copyWithin(to, to - offset, to - offset + size);
      else for (let n = 0; n < size; n++) output[to + n] = output[to + n - offset] ?? 0;
      to += size;
    }
    this.#from = from;
    this.#to = to;
    if (from < input.length) return false;
    if (to !== length) throw new InvalidSnappy(`it has ${to} bytes, but declares ${length}`);
    return true;
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
  throw new InvalidSnappy("it declares no length");
}

function readLittleEndian(input: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > input.length) throw new InvalidSnappy("a tag ends after the input");
  let value = 0;
  for (let index = bytes - 1; index >= 0; index--) value = value * 256 + (input[at + index] ?? 0);
  return value;
}
