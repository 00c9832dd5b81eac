import { crc32 } from "node:zlib";
import { StorageError } from "@plinth/core";

/** Number of bytes that a checksum adds to a value. */
export const CHECKSUM_BYTES = 4;

/** Up to this length, a table lookup is faster than a native call. */
const MAX_TABLE_BYTES = 100;

const table = createTable();

/** Appends to a value a checksum of the key and the value. */
export function sealValue(key: Uint8Array, value: Uint8Array): Uint8Array {
  // Part of a larger buffer: separate memory for each takes longer than the rest.
  const sealed = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  sealed.set(value);
  sealed.writeUInt32BE(checksumOf(key, value), value.length);
  return sealed;
}

/** Whether a stored value matches its checksum under this key. */
export function isSealed(key: Uint8Array, sealed: Uint8Array): boolean {
  const end = sealed.length - CHECKSUM_BYTES;
  if (end < 0) return false;
  return readChecksum(sealed, end) === checksumOf(key, sealed.subarray(0, end));
}

/** The value without its checksum; throws `STORAGE_DAMAGED` if it does not match. */
export function openValue(key: Uint8Array, sealed: Uint8Array): Uint8Array {
  if (!isSealed(key, sealed)) throw damagedValue(key);
  return dropChecksum(key, sealed);
}

/** The value without its checksum, which is not verified. */
export function dropChecksum(_key: Uint8Array, sealed: Uint8Array): Uint8Array {
  // Not `subarray`, which would return a Buffer where LevelDB does.
  return new Uint8Array(sealed.buffer, sealed.byteOffset, sealed.byteLength - CHECKSUM_BYTES);
}

/** Decodes a stored value. */
export type ValueReader = (key: Uint8Array, sealed: Uint8Array) => Uint8Array;

/** `trie-nodes` and `0x12…`, from a key as LevelDB has it. */
export function splitKey(key: Uint8Array): { readonly table: string; readonly key: string } {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  const end = bytes.indexOf(0);
  return {
    table: bytes.toString("latin1", 0, Math.max(0, end)),
    key: `0x${bytes.toString("hex", end + 1)}`,
  };
}

function damagedValue(key: Uint8Array): StorageError {
  const place = splitKey(key);
  return new StorageError("STORAGE_DAMAGED", {
    message: `the database is damaged: the value of ${place.key} in the table ${place.table} does not match its checksum. Stop the node and run: plinth db verify --full, plinth db repair`,
    ...place,
  });
}

/** CRC-32 of the key followed by the value: a value under another key does not match. */
function checksumOf(key: Uint8Array, value: Uint8Array): number {
  return update(value, update(key, 0));
}

function update(bytes: Uint8Array, before: number): number {
  if (bytes.length > MAX_TABLE_BYTES) return crc32(bytes, before);
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) {
    crc = (table[(crc ^ (bytes[at] as number)) & 255] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

function createTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, value) => {
    let crc = value;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc >>> 0;
  });
}

function readChecksum(sealed: Uint8Array, at: number): number {
  let checksum = 0;
  for (let each = at; each < at + CHECKSUM_BYTES; each++) {
    checksum = (checksum << 8) | (sealed[each] as number);
  }
  return checksum >>> 0;
}
