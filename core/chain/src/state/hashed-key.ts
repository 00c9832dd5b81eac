import type { Hex } from "@plinth/core";
import { keccak256 } from "@plinth/core";
import { bytesOf } from "./state-values.js";

/** Few accounts and slots are asked for most of the time, by one state after the other. */
const MAX_KEPT = 16_384;
const kept = new Map<Hex, Uint8Array>();

/** Where an address or a slot stands in its trie; what is returned is shared and must not be changed. */
export function hashedKey(hex: Hex): Uint8Array {
  const known = kept.get(hex);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const key = keccak256(bytesOf(hex));
  kept.set(hex, key);
  return key;
}
