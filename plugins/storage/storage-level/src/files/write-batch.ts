import { ByteReader } from "./byte-reader.js";
import type { LevelEntry } from "./table-file.js";

const PUT = 1;

/** The changes in a record of a write-ahead log; throws `RangeError` if it is malformed. */
export function readWriteBatch(record: Uint8Array): readonly LevelEntry[] {
  const reader = new ByteReader(record);
  const first = reader.readUint64();
  const count = reader.readUint32();
  return Array.from({ length: count }, (_, index) => {
    const isPut = reader.readByte() === PUT;
    const key = reader.readText();
    return { key, sequence: first + BigInt(index), value: isPut ? reader.readText() : undefined };
  });
}
