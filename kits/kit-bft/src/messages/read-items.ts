import { RlpError } from "@plinth/core";
import { scalarBytes } from "@plinth/core/blocks";
import { rlpItems } from "@plinth/core/primitives";

/** Bounds of the number of items of a list. */
export interface ItemCount {
  readonly min: number;
  readonly max: number;
}

/**
 * The items of a list, as views of its bytes; throws `RlpError` if there are too many or too few,
 * after reading `max`.
 */
export function readItems(name: string, list: Uint8Array, { min, max }: ItemCount) {
  const items: Uint8Array[] = [];
  for (const item of rlpItems(list)) {
    if (items.length >= max) throw new RlpError(`${name}: more than ${max} items`);
    items.push(item);
  }
  if (items.length >= min) return items;
  throw new RlpError(`${name}: ${items.length} items, expected ${min}`);
}

/** The first item of a list, as a view of its bytes. */
export function readFirst(name: string, list: Uint8Array): Uint8Array {
  for (const item of rlpItems(list)) return item;
  throw new RlpError(`${name}: no items`);
}

/** Whether an item is an empty list. */
export function isEmptyList(item: Uint8Array): boolean {
  return item.length === 1 && item[0] === EMPTY_LIST;
}

/** Whether an item is an empty byte string. */
export function isEmptyString(item: Uint8Array): boolean {
  return item.length === 1 && item[0] === EMPTY_STRING;
}

/** The list prefix for items of this total length. */
export function listPrefix(length: number): Uint8Array {
  if (length <= MAX_SHORT_LENGTH) return Uint8Array.of(EMPTY_LIST + length);
  const bytes = scalarBytes(BigInt(length));
  return Uint8Array.of(EMPTY_LIST + MAX_SHORT_LENGTH + bytes.length, ...bytes);
}

const MAX_SHORT_LENGTH = 55;
const EMPTY_LIST = 0xc0;
const EMPTY_STRING = 0x80;
