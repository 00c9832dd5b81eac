import { ByteReader } from "./byte-reader.js";

/** Larger than any block that LevelDB writes, with the largest value a node stores. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** Decompresses a block in the Snappy format; throws `RangeError` when it is none. */
export function decompressSnappy(bytes: Uint8Array): Uint8Array {
  const reader = new ByteReader(bytes);
  const length = reader.readVarint();
  if (length > MAX_BYTES) throw new RangeError(`${length} bytes are more than a block has`);
  const out = Buffer.allocUnsafe(length);
  let at = 0;
  while (!reader.isAtEnd) {
    const tag = reader.readByte();
    if ((tag & 3) === 0) {
      const literal = reader.readBytes(literalLength(tag, reader));
      if (at + literal.length > length) throw new RangeError("a literal is too long");
      out.set(literal, at);
      at += literal.length;
    } else {
      const { offset, count } = readCopy(tag, reader);
      if (offset === 0 || offset > at || at + count > length) {
        throw new RangeError("a copy points outside of the block");
      }
      // Byte by byte: source and target may overlap, which repeats a pattern.
      for (const end = at + count; at < end; at++) out[at] = out[at - offset] as number;
    }
  }
  if (at !== length) throw new RangeError(`decompressed to ${at} bytes, expected ${length}`);
  return out;
}

function literalLength(tag: number, reader: ByteReader): number {
  const short = tag >>> 2;
  return short < 60 ? short + 1 : readLittleEndian(reader, short - 59) + 1;
}

function readCopy(tag: number, reader: ByteReader): { offset: number; count: number } {
  switch (tag & 3) {
    case 1:
      return { count: ((tag >>> 2) & 7) + 4, offset: ((tag >>> 5) << 8) | reader.readByte() };
    case 2:
      return { count: (tag >>> 2) + 1, offset: readLittleEndian(reader, 2) };
    default:
      return { count: (tag >>> 2) + 1, offset: readLittleEndian(reader, 4) };
  }
}

function readLittleEndian(reader: ByteReader, bytes: number): number {
  let value = 0;
  for (let index = 0; index < bytes; index++) value += reader.readByte() * 256 ** index;
  return value;
}
