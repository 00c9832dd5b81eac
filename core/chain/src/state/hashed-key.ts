import type { Hex } from "@plinth/core";
import { keccak256 } from "@plinth/core";
import { bytesOf } from "./state-values.js";

/** Most reads are for few accounts and slots, across consecutive states. */
const MAX_KEPT = 16_384;
const kept = new Map<Hex, Uint8Array>();

/** The trie key of an address or a slot; the result is shared and must not be modified. */
export function hashedKey(hex: Hex): Uint8Array {
  const known = kept.get(hex);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const key = keccak256(bytesOf(hex));
  kept.set(hex, key);
  return key;
}
