import { MalformedBytes } from "./errors.js";

/** Every length and count is an unsigned 8-byte number, big-endian. */
const LENGTH_BYTES = 8;

/**
 * Maximum number of recipients of a payload, members of a group, or managers known to another one.
 */
export const MAX_ITEMS = 1024;

/** Encodes fields in Tessera's peer format, each prefixed with its length. */
export class FieldWriter {
  readonly #parts: Uint8Array[] = [];

  count(value: number): this {
    const bytes = Buffer.alloc(LENGTH_BYTES);
    bytes.writeBigUInt64BE(BigInt(value));
    this.#parts.push(bytes);
    return this;
  }

  field(bytes: Uint8Array): this {
    this.count(bytes.length);
    this.#parts.push(bytes);
    return this;
  }

  text(value: string): this {
    return this.field(new TextEncoder().encode(value));
  }

  list(items: readonly Uint8Array[]): this {
    this.count(items.length);
    for (const item of items) this.field(item);
    return this;
  }

  finish(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts));
  }
}

/**
 * Decodes such fields; lengths are checked against the remaining bytes before anything is
 * allocated.
 */
export class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Number of items that follow, each of which takes at least eight bytes. */
  count(name: string): number {
    const count = this.#length(name);
    if (count > MAX_ITEMS)
      throw new MalformedBytes(`${name}: ${count} items, at most ${MAX_ITEMS}`);
    if (count * LENGTH_BYTES <= this.#left) return count;
    throw new MalformedBytes(`${name}: ${count} items do not fit into ${this.#left} bytes`);
  }

  field(name: string): Uint8Array {
    const length = this.#length(name);
    if (length > this.#left) {
      throw new MalformedBytes(`${name}: ${length} bytes, but only ${this.#left} are left`);
    }
    const field = new Uint8Array(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return field;
  }

  /** A field of fixed length. */
  fixed(name: string, length: number): Uint8Array {
    const field = this.field(name);
    if (field.length === length) return field;
    throw new MalformedBytes(`${name}: ${field.length} bytes, expected ${length}`);
  }

  text(name: string): string {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(this.field(name));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new MalformedBytes(`${name}: not UTF-8`);
    }
  }

  list(name: string, length: number): readonly Uint8Array[] {
    return Array.from({ length: this.count(name) }, () => this.fixed(name, length));
  }

  get #left(): number {
    return this.#bytes.length - this.#at;
  }

  #length(name: string): number {
    if (this.#left < LENGTH_BYTES) throw new MalformedBytes(`${name}: the bytes end before it`);
    const length = this.#bytes.readBigUInt64BE(this.#at);
    this.#at += LENGTH_BYTES;
    if (length <= BigInt(this.#left)) return Number(length);
    throw new MalformedBytes(`${name}: ${length} does not fit into ${this.#left} bytes`);
  }
}
