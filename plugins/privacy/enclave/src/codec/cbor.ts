import { MalformedBytes } from "./errors.js";

/** The CBOR types used in payloads; all lengths are definite. */
export type CborValue =
  | number
  | string
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<string, CborValue>;

const MAJOR = { unsigned: 0, bytes: 2, text: 3, list: 4, map: 5 } as const;
/**
 * Meaning of the low bits of a head: a value below 24 is inline, otherwise it follows in 1, 2, 4 or
 * 8 bytes.
 */
const ONE_BYTE = 24;
const TWO_BYTES = 25;
const FOUR_BYTES = 26;

/** Maximum nesting depth; payloads need less. */
const MAX_DEPTH = 3;

/** Encodes a value with the shortest heads. */
export function encodeCbor(value: CborValue): Uint8Array {
  const parts: Uint8Array[] = [];
  write(value, parts);
  return new Uint8Array(Buffer.concat(parts));
}

function write(value: CborValue, parts: Uint8Array[]): void {
  if (typeof value === "number") {
    parts.push(head(MAJOR.unsigned, value));
  } else if (typeof value === "string") {
    const bytes = new TextEncoder().encode(value);
    parts.push(head(MAJOR.text, bytes.length), bytes);
  } else if (value instanceof Uint8Array) {
    parts.push(head(MAJOR.bytes, value.length), value);
  } else if (value instanceof Map) {
    parts.push(head(MAJOR.map, value.size));
    for (const [key, item] of value) {
      write(key, parts);
      write(item, parts);
    }
  } else {
    const items = value as readonly CborValue[];
    parts.push(head(MAJOR.list, items.length));
    for (const item of items) write(item, parts);
  }
}

function head(major: number, value: number): Uint8Array {
  const high = major << 5;
  if (value < ONE_BYTE) return Uint8Array.of(high | value);
  if (value < 2 ** 8) return Uint8Array.of(high | ONE_BYTE, value);
  if (value < 2 ** 16) return Uint8Array.of(high | TWO_BYTES, value >> 8, value & 0xff);
  const bytes = Buffer.alloc(5);
  bytes[0] = high | FOUR_BYTES;
  bytes.writeUInt32BE(value, 1);
  return bytes;
}

/** Decodes exactly one value; trailing bytes are an error. */
export function decodeCbor(bytes: Uint8Array): CborValue {
  const reader = new CborReader(bytes);
  const value = reader.value(0);
  reader.verifyEnd();
  return value;
}

class CborReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(depth: number): CborValue {
    if (depth > MAX_DEPTH) throw new MalformedBytes("CBOR: nested too deeply");
    const { major, length } = this.#head();
    if (major === MAJOR.unsigned) return length;
    if (major === MAJOR.bytes) return this.#take(length);
    if (major === MAJOR.text) return readText(this.#take(length));
    // Every item takes at least one byte, and every map entry two.
    const least = major === MAJOR.map ? 2 * length : length;
    if (least > this.#left) throw new MalformedBytes(`CBOR: ${length} items do not fit`);
    if (major === MAJOR.list) return Array.from({ length }, () => this.value(depth + 1));
    return this.#map(length, depth);
  }

  verifyEnd(): void {
    if (this.#left > 0) throw new MalformedBytes(`CBOR: ${this.#left} bytes are left behind it`);
  }

  #map(length: number, depth: number): ReadonlyMap<string, CborValue> {
    const map = new Map<string, CborValue>();
    for (let index = 0; index < length; index++) {
      const key = this.value(depth + 1);
      if (typeof key !== "string") throw new MalformedBytes("CBOR: a key is not text");
      if (map.has(key)) throw new MalformedBytes(`CBOR: duplicate key "${key}"`);
      map.set(key, this.value(depth + 1));
    }
    return map;
  }

  #head(): { readonly major: number; readonly length: number } {
    const [first = 0] = this.#take(1);
    const major = first >> 5;
    if (!Object.values<number>(MAJOR).includes(major)) {
      throw new MalformedBytes(`CBOR: major type ${major} is not expected`);
    }
    return { major, length: this.#length(first & 0x1f) };
  }

  #length(info: number): number {
    if (info < ONE_BYTE) return info;
    if (info > FOUR_BYTES)
      throw new MalformedBytes("CBOR: a length that is too large or indefinite");
    const size = 2 ** (info - ONE_BYTE);
    return Buffer.from(this.#take(size)).readUIntBE(0, size);
  }

  #take(length: number): Uint8Array {
    if (length > this.#left) {
      throw new MalformedBytes(`CBOR: ${length} bytes, but only ${this.#left} are left`);
    }
    const taken = new Uint8Array(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return taken;
  }

  get #left(): number {
    return this.#bytes.length - this.#at;
  }
}

function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new MalformedBytes("CBOR: text that is not UTF-8");
  }
}
