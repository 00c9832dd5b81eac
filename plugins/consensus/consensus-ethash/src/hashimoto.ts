import { keccak256 } from "@plinth/core";
import type { Keccak512 } from "./cache.js";
import { ITEM_BYTES, ROW_BYTES } from "./sizes.js";

/**
 * Result of proof of work: the mix goes into the header, the result is compared with the target.
 */
export interface Work {
  readonly mix: Uint8Array;
  readonly result: Uint8Array;
}

const FNV_PRIME = 0x01000193;
const ITEM_WORDS = ITEM_BYTES / 4;
const ROW_WORDS = ROW_BYTES / 4;
const ITEM_PARENTS = 256;
const ACCESSES = 64;
const SEED_BYTES = 40;

/**
 * The proof-of-work hash, computed from a cache instead of the whole dataset.
 *
 * Takes about eight milliseconds. One hash is computed at a time, so buffers are shared.
 */
export class Hashimoto {
  readonly #cache: Uint32Array;
  readonly #items: number;
  readonly #rows: number;
  readonly #keccak512: Keccak512;
  readonly #item = new Uint32Array(ITEM_WORDS);
  readonly #itemBytes = new Uint8Array(this.#item.buffer);

  constructor(cache: Uint8Array<ArrayBuffer>, datasetBytes: number, keccak512: Keccak512) {
    this.#cache = new Uint32Array(cache.buffer, cache.byteOffset, cache.length / 4);
    this.#items = cache.length / ITEM_BYTES;
    this.#rows = datasetBytes / ROW_BYTES;
    this.#keccak512 = keccak512;
  }

  /** The work of a nonce on a header that is hashed without its seal. */
  run(sealHash: Uint8Array, nonce: Uint8Array): Work {
    const given = new Uint8Array(SEED_BYTES);
    given.set(sealHash);
    given.set(nonce.toReversed(), sealHash.length);
    const seed = this.#keccak512(given);
    const seedWords = wordsOf(seed);
    const mix = new Uint32Array(ROW_WORDS);
    mix.set(seedWords);
    mix.set(seedWords, ITEM_WORDS);
    for (let access = 0; access < ACCESSES; access++) {
      const key = fnv(access ^ (seedWords[0] ?? 0), mix[access % ROW_WORDS] ?? 0) >>> 0;
      this.#mixRow(mix, key % this.#rows);
    }
    const folded = fold(mix);
    return { mix: folded, result: keccak256(Buffer.concat([seed, folded])) };
  }

  #mixRow(mix: Uint32Array, row: number): void {
    for (let half = 0; half < ROW_WORDS / ITEM_WORDS; half++) {
      const item = this.#datasetItem((row * ROW_WORDS) / ITEM_WORDS + half);
      const start = half * ITEM_WORDS;
      for (let word = 0; word < ITEM_WORDS; word++) {
        mix[start + word] = fnv(mix[start + word] ?? 0, item[word] ?? 0);
      }
    }
  }

  /** One item of the dataset; valid until the next one is requested. */
  #datasetItem(index: number): Uint32Array {
    const item = this.#item;
    const cache = this.#cache;
    const items = this.#items;
    const first = (index % items) * ITEM_WORDS;
    item.set(cache.subarray(first, first + ITEM_WORDS));
    item[0] = (item[0] ?? 0) ^ index;
    this.#itemBytes.set(this.#keccak512(this.#itemBytes));
    for (let count = 0; count < ITEM_PARENTS; count++) {
      const key = fnv(index ^ count, item[count % ITEM_WORDS] ?? 0) >>> 0;
      const parent = (key % items) * ITEM_WORDS;
      for (let word = 0; word < ITEM_WORDS; word++) {
        item[word] = fnv(item[word] ?? 0, cache[parent + word] ?? 0);
      }
    }
    this.#itemBytes.set(this.#keccak512(this.#itemBytes));
    return item;
  }
}

/** The mixing step of the FNV hash, on 32 bits. */
function fnv(left: number, right: number): number {
  return Math.imul(left, FNV_PRIME) ^ right;
}

/** Compresses four words to one. */
function fold(mix: Uint32Array): Uint8Array {
  const folded = new Uint32Array(mix.length / 4);
  for (let index = 0; index < folded.length; index++) {
    const [a = 0, b = 0, c = 0, d = 0] = mix.subarray(index * 4, index * 4 + 4);
    folded[index] = fnv(fnv(fnv(a, b), c), d);
  }
  return new Uint8Array(folded.buffer);
}

/** Copied, because a view on words must start at a multiple of four. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}
