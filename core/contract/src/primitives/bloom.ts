import { keccak256 } from "./keccak/keccak.js";

/** 2048 bits that rule out addresses and topics for a set of logs. */
export type Bloom = Uint8Array;

/** The bits of one value, for testing many blooms. */
export type BloomBits = readonly number[];

/** The length of every bloom. */
export const BLOOM_BYTES = 256;

const BITS_MASK = BLOOM_BYTES * 8 - 1;
const BITS_PER_VALUE = 3;

/** An empty bloom. */
export function createBloom(): Bloom {
  return new Uint8Array(BLOOM_BYTES);
}

/** Adds an address or a topic in place. */
export function addToBloom(bloom: Bloom, value: Uint8Array): void {
  for (const bit of bloomBits(value)) {
    const byte = byteOf(bit);
    bloom[byte] = (bloom[byte] ?? 0) | maskOf(bit);
  }
}

/** Whether the value may have been added; never `false` for one that was. */
export function isInBloom(bloom: Bloom, value: Uint8Array): boolean {
  return hasBits(bloom, bloomBits(value));
}

/** Whether all of these bits are set in a bloom, optionally in the one at an offset. */
export function hasBits(bloom: Bloom, bits: BloomBits, offset = 0): boolean {
  for (const bit of bits) {
    if (((bloom[offset + byteOf(bit)] ?? 0) & maskOf(bit)) === 0) return false;
  }
  return true;
}

/** Whether a bloom, optionally the one at an offset, is empty. */
export function isEmptyBloom(bloom: Bloom, offset = 0): boolean {
  for (let index = offset; index < offset + BLOOM_BYTES; index++) {
    if (bloom[index] !== 0) return false;
  }
  return true;
}

/** Yellow Paper, 4.3.1: the low 11 bits of the first three pairs of bytes of the hash. */
export function bloomBits(value: Uint8Array): BloomBits {
  const hash = keccak256(value);
  return Array.from(
    { length: BITS_PER_VALUE },
    (_, pair) => (((hash[2 * pair] ?? 0) << 8) | (hash[2 * pair + 1] ?? 0)) & BITS_MASK,
  );
}

/** Merges another bloom in place. */
export function mergeIntoBloom(bloom: Bloom, other: Bloom): void {
  for (let byte = 0; byte < BLOOM_BYTES; byte++) {
    bloom[byte] = (bloom[byte] ?? 0) | (other[byte] ?? 0);
  }
}

/** Bit 0 is the lowest bit of the last byte. */
function byteOf(bit: number): number {
  return BLOOM_BYTES - 1 - (bit >> 3);
}

function maskOf(bit: number): number {
  return 1 << (bit & 7);
}
