/**
 * Decodes numbers and byte strings in LevelDB's encoding, one after another; throws `RangeError`
 * past the end.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  readByte(): number {
    return this.#bytes.readUInt8(this.#advance(1));
  }

  readUint32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4));
  }

  readUint64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#advance(8));
  }

  /** A varint of seven bits per byte, lowest first; file sizes and numbers stay below 2^53. */
  readVarint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 56; scale *= 128) {
      const byte = this.readByte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError("a number has too many bytes");
  }

  /** The given number of bytes; they share memory with the input. */
  readBytes(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** The bytes from an offset on, regardless of the read position. */
  from(at: number): ByteReader {
    return new ByteReader(this.#bytes, at);
  }

  readText(): Uint8Array {
    return this.readBytes(this.readVarint());
  }

  #advance(length: number): number {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw new RangeError("the bytes end too early");
    this.#at += length;
    return start;
  }
}
