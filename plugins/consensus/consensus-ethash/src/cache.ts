import { keccak256 } from "@plinth/core";
import { ITEM_BYTES } from "./sizes.js";

/** The Keccak-512 hash. */
export type Keccak512 = (bytes: Uint8Array) => Uint8Array;

const ROUNDS = 3;
const ITEM_WORDS = ITEM_BYTES / 4;
/** Number of hashes between two points at which the computation can pause. */
const HASHES_PER_STEP = 1024;

/** The seed of the cache of an epoch. */
export function seedOf(epoch: number): Uint8Array {
  let seed: Uint8Array = new Uint8Array(32);
  for (let count = 0; count < epoch; count++) seed = keccak256(seed);
  return seed;
}

/** Fills the cache of a seed, step by step; a million hashes for the first epoch. */
export function* fillCache(
  cache: Uint8Array<ArrayBuffer>,
  seed: Uint8Array,
  keccak512: Keccak512,
): Generator<void> {
  const count = cache.length / ITEM_BYTES;
  let item = keccak512(seed);
  for (let index = 0; index < count; index++) {
    cache.set(item, index * ITEM_BYTES);
    item = keccak512(item);
    if (index % HASHES_PER_STEP === 0) yield;
  }
  for (let round = 0; round < ROUNDS; round++) yield* shuffle(cache, keccak512);
}

/** One round of the memory-hard function that makes the cache slow to compute and fast to use. */
function* shuffle(cache: Uint8Array<ArrayBuffer>, keccak512: Keccak512): Generator<void> {
  const words = new Uint32Array(cache.buffer, cache.byteOffset, cache.length / 4);
  const count = cache.length / ITEM_BYTES;
  const mixed = new Uint32Array(ITEM_WORDS);
  const bytes = new Uint8Array(mixed.buffer);
  for (let index = 0; index < count; index++) {
    const before = ((index + count - 1) % count) * ITEM_WORDS;
    const other = ((words[index * ITEM_WORDS] ?? 0) % count) * ITEM_WORDS;
    for (let word = 0; word < ITEM_WORDS; word++) {
      mixed[word] = (words[before + word] ?? 0) ^ (words[other + word] ?? 0);
    }
    cache.set(keccak512(bytes), index * ITEM_BYTES);
    if (index % HASHES_PER_STEP === 0) yield;
  }
}
