import type { Hash } from "@plinth/core";
import { bytesOf } from "../state/state-values.js";
import type { Nibbles } from "../state/trie-nodes.js";

/** Length of keys of accounts; those of slots are longer. */
export const ACCOUNT_KEY_BYTES = 32;
const SLOT_KEY_BYTES = 32;
const INCARNATION_BYTES = 4;
const VERSION_BYTES = 4;

/** The storage of an account since it was last cleared: the start of the keys of its slots and nodes. */
export function storagePrefix(accountKey: Uint8Array, incarnation: number): Uint8Array {
  const prefix = Buffer.alloc(ACCOUNT_KEY_BYTES + INCARNATION_BYTES);
  prefix.set(accountKey);
  prefix.writeUInt32BE(incarnation, ACCOUNT_KEY_BYTES);
  return prefix;
}

/** The key of a slot. */
export function slotKey(prefix: Uint8Array, key: Uint8Array): Uint8Array {
  return Buffer.concat([prefix, key]);
}

/** The storage that a slot belongs to. */
export function prefixOfSlot(key: Uint8Array): Uint8Array {
  return key.subarray(0, key.length - SLOT_KEY_BYTES);
}

/** The storage that a node belongs to. */
export function prefixOfNode(key: Uint8Array): Uint8Array {
  return key.subarray(0, ACCOUNT_KEY_BYTES + INCARNATION_BYTES);
}

/** The account of a storage. */
export function accountOfPrefix(prefix: Uint8Array): Uint8Array {
  return prefix.subarray(0, ACCOUNT_KEY_BYTES);
}

/** How often the storage was cleared before. */
export function incarnationOfPrefix(prefix: Uint8Array): number {
  return Buffer.from(prefix).readUInt32BE(ACCOUNT_KEY_BYTES);
}

/** The trie key of a slot. */
export function trieKeyOfSlot(key: Uint8Array): Uint8Array {
  return key.subarray(key.length - SLOT_KEY_BYTES);
}

/** Whether a key of a value is that of an account. */
export function isAccountKey(key: Uint8Array): boolean {
  return key.length === ACCOUNT_KEY_BYTES;
}

/** The key of an earlier value in the history. */
export function historyKey(key: Uint8Array, version: number): Uint8Array {
  const bytes = Buffer.alloc(key.length + VERSION_BYTES);
  bytes.set(key);
  bytes.writeUInt32BE(version, key.length);
  return bytes;
}

/** The key of a value, of which the history has earlier ones. */
export function keyOfHistory(place: Uint8Array): Uint8Array {
  return place.subarray(0, place.length - VERSION_BYTES);
}

/** The version in a key of the history. */
export function versionOfHistory(place: Uint8Array): number {
  return Buffer.from(place).readUInt32BE(place.length - VERSION_BYTES);
}

/** The key of a node of a storage trie; a node of the account trie has its path alone. */
export function storageNodeKey(prefix: Uint8Array, path: Nibbles): Uint8Array {
  return Buffer.concat([prefix, path]);
}

/** The key of a block of the canonical chain. */
export function blockKey(number: number): Uint8Array {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(BigInt(number));
  return key;
}

/** The number in the key of a block. */
export function numberOf(key: Uint8Array): number {
  return Number(Buffer.from(key).readBigUInt64BE());
}

/** The key of a block off the canonical chain. */
export function sideKey(number: bigint, hash: Hash): Uint8Array {
  return Buffer.concat([blockKey(Number(number)), bytesOf(hash)]);
}
