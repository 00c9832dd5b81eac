import { hexToBytes, toHex } from "@plinth/core";
import { HASH_BYTES } from "@plinth/plugin-protocol-snap/api";

/** The lowest key of a trie. */
export const FIRST_KEY = new Uint8Array(HASH_BYTES);

/** The key after one; `undefined` after the last. */
export function nextKey(key: Uint8Array): Uint8Array | undefined {
  const next = (BigInt(toHex(key)) + 1n).toString(16);
  return next.length > 2 * HASH_BYTES ? undefined : keyOf(next);
}

/** The first key of one of so many equal parts of all keys; `undefined` after the last. */
export function firstKeyOf(part: number, parts: number): Uint8Array | undefined {
  if (part >= parts) return undefined;
  return keyOf(((BigInt(part) << BigInt(8 * HASH_BYTES)) / BigInt(parts)).toString(16));
}

/** The share of all keys before one. */
export function shareBefore(key: Uint8Array): number {
  return Buffer.from(key).readUInt32BE() / 2 ** 32;
}

function keyOf(digits: string): Uint8Array {
  return hexToBytes(`0x${digits.padStart(2 * HASH_BYTES, "0")}`);
}
