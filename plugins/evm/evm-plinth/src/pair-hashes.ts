import { keccak256 } from "@plinth/core";
import { readWord, type Word } from "./arithmetic/words.js";

/** The length of a key of a mapping and the slot of the mapping. */
export const PAIR_BYTES = 64;
/** Entries of each of two generations: together about two mebibytes. */
const GENERATION = 4096;

let young = new Map<string, Word>();
let old = new Map<string, Word>();

/**
 * The Keccak-256 hash of 64 bytes, which is where Solidity stores a value of a mapping: contracts compute the same ones
 * again and again, and a hash takes as long as several look-ups.
 */
export function hashPair(bytes: Uint8Array): Word {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, PAIR_BYTES).toString("latin1");
  const known = young.get(text);
  if (known !== undefined) return known;
  const hash = old.get(text) ?? wordOfHash(keccak256(bytes));
  if (young.size >= GENERATION) {
    old = young;
    young = new Map();
  }
  young.set(text, hash);
  return hash;
}

/** The word of a hash. */
export function wordOfHash({ buffer, byteOffset }: Uint8Array): Word {
  return readWord(new DataView(buffer, byteOffset), 0);
}
