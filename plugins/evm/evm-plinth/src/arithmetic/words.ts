import type { Address, Hash } from "@plinth/core";

/**
 * A value of 256 bits, in one of two forms: a number up to 2^53 - 1, a BigInt above.
 *
 * The form is determined by the value, so two words are equal exactly if they are `===`. Every word made from a BigInt
 * must go through `toWord` or `wrap`.
 */
export type Word = number | bigint;

/** The largest word that is a number. */
export const MAX_NUMBER = Number.MAX_SAFE_INTEGER;
const MAX_NUMBER_AS_BIGINT = BigInt(MAX_NUMBER);
const TWO_32 = 2 ** 32;
/** Number of values of the upper half of a number. */
const UPPER_VALUES = 2 ** 21;
export const WORD_BYTES = 32;

/** The word of a value below 2^256. */
export function toWord(value: bigint): Word {
  return value <= MAX_NUMBER_AS_BIGINT ? Number(value) : value;
}

/** The word of a value modulo 2^256. */
export function wrap(value: bigint): Word {
  return toWord(BigInt.asUintN(256, value));
}

/** Reads the word at an offset; all 32 bytes must exist. */
export function readWord(view: DataView, offset: number): Word {
  const upper = view.getUint32(offset + 24);
  if (
    upper < UPPER_VALUES &&
    view.getUint32(offset) === 0 &&
    view.getUint32(offset + 4) === 0 &&
    view.getUint32(offset + 8) === 0 &&
    view.getUint32(offset + 12) === 0 &&
    view.getUint32(offset + 16) === 0 &&
    view.getUint32(offset + 20) === 0
  ) {
    return upper * TWO_32 + view.getUint32(offset + 28);
  }
  return readLargeWord(view, offset);
}

/** Leading zeros are common: addresses, amounts. Every omitted part saves a BigInt shift. */
function readLargeWord(view: DataView, offset: number): bigint {
  const lower = (view.getBigUint64(offset + 16) << 64n) | view.getBigUint64(offset + 24);
  const third = view.getBigUint64(offset + 8);
  const fourth = view.getBigUint64(offset);
  if (fourth !== 0n) return (((fourth << 64n) | third) << 128n) | lower;
  return third === 0n ? lower : (third << 128n) | lower;
}

/** Writes a word at an offset; there must be space for its 32 bytes. */
export function writeWord(view: DataView, offset: number, word: Word): void {
  if (typeof word === "number") {
    view.setUint32(offset, 0);
    view.setUint32(offset + 4, 0);
    view.setUint32(offset + 8, 0);
    view.setUint32(offset + 12, 0);
    view.setUint32(offset + 16, 0);
    view.setUint32(offset + 20, 0);
    const upper = Math.floor(word / TWO_32);
    view.setUint32(offset + 24, upper);
    view.setUint32(offset + 28, word - upper * TWO_32);
    return;
  }
  // Each takes the lowest 64 bits.
  const upper = word >> 128n;
  view.setBigUint64(offset + 24, word);
  view.setBigUint64(offset + 16, word >> 64n);
  view.setBigUint64(offset + 8, upper);
  view.setBigUint64(offset, upper >> 64n);
}

/** The word of at most 32 bytes in big-endian order. */
export function wordOfBytes(bytes: Uint8Array, start = 0, end = bytes.length): Word {
  let from = start;
  while (from < end && bytes[from] === 0) from += 1;
  if (end - from > 6) {
    const digits = Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString("hex");
    return toWord(BigInt(`0x${digits}`));
  }
  let value = 0;
  for (let index = from; index < end; index += 1) value = value * 256 + (bytes[index] as number);
  return value;
}

/** The 32 bytes of a word. */
export function bytesOfWord(word: Word): Uint8Array {
  const bytes = new Uint8Array(WORD_BYTES);
  writeWord(new DataView(bytes.buffer), 0, word);
  return bytes;
}

/** The address in the lowest 20 bytes of a word. */
export function addressOfWord(word: Word): Address {
  if (typeof word === "bigint") return addressOf(BigInt.asUintN(160, word));
  return SMALL_ADDRESSES[word] ?? addressOf(word);
}

function addressOf(value: Word): Address {
  return `0x${value.toString(16).padStart(40, "0")}`;
}

/** Those of the precompiles, which code calls often: a string that is looked up again has its hash already. */
const SMALL_ADDRESSES: readonly Address[] = Array.from({ length: 0x120 }, (_, value) =>
  addressOf(value),
);

/** The 32 bytes of a word as hex. */
export function hashOfWord(word: Word): Hash {
  return `0x${word.toString(16).padStart(64, "0")}`;
}

/** The word of an address or a hash. */
export function wordOfHex(hex: Address | Hash): Word {
  return toWord(BigInt(hex));
}
