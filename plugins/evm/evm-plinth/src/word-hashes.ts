import { keccak256Into } from "@plinth/core/primitives";
import { readWord, WORD_BYTES, type Word, wordOfBytes } from "./arithmetic/words.js";
import { hashInPieces, PIECE_BYTES } from "./long-keccak.js";

/** The length of a key of a mapping and the slot of the mapping. */
export const PAIR_BYTES = 64;
const PAIR_PARTS = PAIR_BYTES / 4;
/** Pairs that are remembered, each at one place: together less than a mebibyte. */
const PLACES = 2 ** 13;
const PLACE_SHIFT = 32 - 13;
/** An odd number without a pattern in its bits (the golden ratio). */
const MIXER = 0x9e3779b1;

const pairs = new Int32Array(PLACES * PAIR_PARTS);
/** A digest of the pair that was hashed last for each place. */
const digests = new Int32Array(PLACES);
const pair = new Uint8Array(PAIR_BYTES);
const pairView = new DataView(pair.buffer);
const hashes = new Array<Word | undefined>(PLACES).fill(undefined);
const hash = new Uint8Array(WORD_BYTES);
const hashView = new DataView(hash.buffer);

/** The Keccak-256 hash as a word; see `hashInPieces`. */
export function hashToWord(bytes: Uint8Array, interrupt: () => void): Word {
  if (bytes.length > PIECE_BYTES) return wordOfBytes(hashInPieces(bytes, interrupt));
  keccak256Into(bytes, hash);
  return readWord(hashView, 0);
}

/**
 * The Keccak-256 hash of 64 bytes of a memory, which is where Solidity stores a value of a mapping: contracts compute the
 * same ones again and again. It is remembered once it was computed twice.
 *
 * Code that makes pairs share a place gains nothing: their hashes are computed again, as those of other bytes are.
 */
export function hashPair(view: DataView, offset: number): Word {
  const digest = digestOf(view, offset);
  const place = digest >>> PLACE_SHIFT;
  const isSecond = digests[place] === digest;
  if (isSecond) {
    const known = hashes[place];
    if (known !== undefined && isPairAt(place, view, offset)) return known;
  }
  digests[place] = digest;
  for (let part = 0; part < PAIR_BYTES; part += 4) {
    pairView.setInt32(part, view.getInt32(offset + part));
  }
  keccak256Into(pair, hash);
  const word = readWord(hashView, 0);
  if (isSecond) remember(place, word);
  return word;
}

function remember(place: number, word: Word): void {
  for (let part = 0; part < PAIR_PARTS; part++) {
    pairs[place * PAIR_PARTS + part] = pairView.getInt32(4 * part);
  }
  hashes[place] = word;
}

function digestOf(view: DataView, offset: number): number {
  let mixed = 0;
  for (let part = 0; part < PAIR_BYTES; part += 4) {
    mixed = Math.imul(mixed ^ view.getInt32(offset + part), MIXER);
    mixed ^= mixed >>> 15;
  }
  return Math.imul(mixed, MIXER);
}

function isPairAt(place: number, view: DataView, offset: number): boolean {
  const start = place * PAIR_PARTS;
  for (let part = 0; part < PAIR_PARTS; part++) {
    if (pairs[start + part] !== view.getInt32(offset + 4 * part)) return false;
  }
  return true;
}
