import { keccak256 } from "./keccak.js";

/** 2048 bits that tell which addresses and topics cannot be among some logs. */
export type Bloom = Uint8Array;

/** The length of every bloom. */
export const BLOOM_BYTES = 256;

const BITS_MASK = BLOOM_BYTES * 8 - 1;
const BITS_PER_VALUE = 3;

/** A bloom that contains nothing. */
export function createBloom(): Bloom {
  return new Uint8Array(BLOOM_BYTES);
}

/** Adds an address or a topic to the bloom itself. */
export function addToBloom(bloom: Bloom, value: Uint8Array): void {
  for (const { byte, mask } of bitsOf(value)) bloom[byte] = (bloom[byte] ?? 0) | mask;
}

/** Whether the value may have been added; never `false` for one that was. */
export function isInBloom(bloom: Bloom, value: Uint8Array): boolean {
  return bitsOf(value).every(({ byte, mask }) => ((bloom[byte] ?? 0) & mask) !== 0);
}

/** Adds everything another bloom contains to the bloom itself. */
export function mergeIntoBloom(bloom: Bloom, other: Bloom): void {
  for (let byte = 0; byte < BLOOM_BYTES; byte++) {
    bloom[byte] = (bloom[byte] ?? 0) | (other[byte] ?? 0);
  }
}

/** Yellow Paper, 4.3.1: the low 11 bits of the first three pairs of bytes of the hash. */
function bitsOf(value: Uint8Array): { readonly byte: number; readonly mask: number }[] {
  const hash = keccak256(value);
  return Array.from({ length: BITS_PER_VALUE }, (_, pair) => {
    const bit = (((hash[2 * pair] ?? 0) << 8) | (hash[2 * pair + 1] ?? 0)) & BITS_MASK;
    return { byte: BLOOM_BYTES - 1 - (bit >> 3), mask: 1 << (bit & 7) };
  });
}
