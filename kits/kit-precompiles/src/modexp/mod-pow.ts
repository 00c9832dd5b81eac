import type { Steps } from "@plinth/core/async";
import { toBigInt } from "../bytes.js";
import { product, remainder } from "./long-arithmetic.js";
import { findMontgomery } from "./montgomery.js";

/** Shorter exponents are not worth a table of powers. */
const MIN_WINDOWED_BYTES = 4;
const WINDOW_BITS = 4;
const POWERS = 2 ** WINDOW_BITS;
/**
 * Numbers up to this length are multiplied at once: four squares and a product take about a
 * millisecond.
 */
const MAX_SHORT_BITS = 8 * 2048;
const MIN_LONG = 1n << BigInt(MAX_SHORT_BITS);
/** Leading zeros are counted this many bytes at a time. */
const SCANNED_BYTES = 2 ** 20;

/** The operands of a modular exponentiation, big-endian; the modulus is not zero. */
export interface ModPowOperands {
  readonly base: Uint8Array;
  readonly exponent: Uint8Array;
  readonly modulus: bigint;
}

/** Multiplies under some modulus; in steps if the numbers are long. */
type Multiply = (one: bigint, other: bigint) => bigint | Steps<bigint>;

/** Computes base^exponent mod modulus. */
export function* modPow({ base: bytes, exponent: padded, modulus }: ModPowOperands): Steps<bigint> {
  const exponent = yield* withoutLeadingZeros(padded);
  if (exponent.length === 0) return 1n % modulus;
  // For short numbers a length check is sufficient, and faster.
  const bits = modulus < MIN_LONG ? MAX_SHORT_BITS : bitLength(modulus);
  if (bits > MAX_SHORT_BITS) yield;
  const base = yield* reduce(bytes, modulus, bits);
  const multiply = multiplyModulo(modulus, bits);
  if (exponent.length < MIN_WINDOWED_BYTES) return yield* powBinary(base, exponent, multiply);
  const shift = trailingZeros(modulus);
  if (bits > MAX_SHORT_BITS) yield;
  const odd = modulus >> BigInt(shift);
  const montgomery = findMontgomery(odd);
  if (montgomery === undefined) return yield* pow(base, exponent, multiply);
  const modOdd =
    odd === 1n ? 0n : yield* montgomery.power({ base: base % odd, exponent, modulus: odd });
  if (shift === 0) return modOdd;
  const modPower = yield* powModPowerOfTwo({ base, exponent, bits: shift });
  return yield* combine({ modOdd, odd, modPower, bits: shift });
}

/** The remainder of a number that may be much longer than the modulus. */
function* reduce(bytes: Uint8Array, modulus: bigint, bits: number): Steps<bigint> {
  const length = Math.floor(Math.max(bits, MAX_SHORT_BITS) / 8);
  if (bytes.length <= length && bits <= MAX_SHORT_BITS) return toBigInt(bytes) % modulus;
  let rest = 0n;
  // The first piece is the shorter one.
  let end = bytes.length % length;
  for (let start = 0; start < bytes.length; start = end, end += length) {
    const piece = toBigInt(bytes.subarray(start, end));
    yield;
    const value = (rest << BigInt(8 * (end - start))) + piece;
    rest = yield* remainder(value, modulus, bits);
  }
  return rest;
}

function multiplyModulo(modulus: bigint, bits: number): Multiply {
  if (bits <= MAX_SHORT_BITS) return (one, other) => (one * other) % modulus;
  return function* (one, other) {
    const value = yield* product(one, other, bits);
    return yield* remainder(value, modulus, bits);
  };
}

function multiplyModuloPowerOfTwo(bits: number): Multiply {
  if (bits <= MAX_SHORT_BITS) return (one, other) => BigInt.asUintN(bits, one * other);
  return function* (one, other) {
    return BigInt.asUintN(bits, yield* product(one, other, bits));
  };
}

/**
 * Modulo 2^bits, few bits of the exponent count: the order of an odd base divides 2^bits, and an
 * even base vanishes.
 */
function* powModPowerOfTwo({
  base,
  exponent,
  bits,
}: {
  readonly base: bigint;
  readonly exponent: Uint8Array;
  readonly bits: number;
}): Steps<bigint> {
  const low = BigInt.asUintN(bits, base);
  if ((low & 1n) === 0n && isAtLeast(exponent, bits)) return 0n;
  const counted = yield* withoutLeadingZeros(exponent.subarray(-Math.ceil(bits / 8)));
  if (counted.length === 0) return 1n;
  const multiply = multiplyModuloPowerOfTwo(bits);
  return counted.length < MIN_WINDOWED_BYTES
    ? yield* powBinary(low, counted, multiply)
    : yield* pow(low, counted, multiply);
}

/** The exponent starts with a non-zero byte. */
function isAtLeast(exponent: Uint8Array, limit: number): boolean {
  return exponent.length > 6 || toBigInt(exponent) >= BigInt(limit);
}

/** The Chinese remainder theorem, for an odd number and a power of two. */
function* combine({
  modOdd,
  odd,
  modPower,
  bits,
}: {
  readonly modOdd: bigint;
  readonly odd: bigint;
  readonly modPower: bigint;
  readonly bits: number;
}): Steps<bigint> {
  let inverse = odd;
  for (let right = 3; right < bits; right *= 2) {
    const known = Math.min(2 * right, bits);
    const factor = BigInt.asUintN(known, 2n - odd * inverse);
    const next = multiplyModuloPowerOfTwo(known)(BigInt.asUintN(known, inverse), factor);
    inverse = typeof next === "bigint" ? next : yield* next;
  }
  const multiply = multiplyModuloPowerOfTwo(bits);
  const difference = BigInt.asUintN(bits, modPower - modOdd);
  const multiple = multiply(difference, BigInt.asUintN(bits, inverse));
  return modOdd + odd * (typeof multiple === "bigint" ? multiple : yield* multiple);
}

/** Square and multiply, in windows of four bits; the exponent starts with a non-zero byte. */
function* pow(base: bigint, exponent: Uint8Array, multiply: Multiply): Steps<bigint> {
  const powers = [1n, base];
  for (let power = 2; power < POWERS; power++) {
    const next = multiply(powers[power - 1] ?? 1n, base);
    powers.push(typeof next === "bigint" ? next : yield* next);
  }
  let result = 1n;
  for (const byte of exponent) {
    for (const window of [byte >> WINDOW_BITS, byte % POWERS]) {
      yield;
      for (let bit = 0; bit < WINDOW_BITS; bit++) {
        const square = multiply(result, result);
        result = typeof square === "bigint" ? square : yield* square;
      }
      if (window === 0) continue;
      const next = multiply(result, powers[window] ?? 1n);
      result = typeof next === "bigint" ? next : yield* next;
    }
  }
  return result;
}

/** Square and multiply; the exponent is short and starts with a non-zero byte. */
function* powBinary(base: bigint, exponent: Uint8Array, multiply: Multiply): Steps<bigint> {
  const [, ...bits] = toBigInt(exponent).toString(2);
  let result = base;
  for (const bit of bits) {
    yield;
    const square = multiply(result, result);
    result = typeof square === "bigint" ? square : yield* square;
    if (bit === "0") continue;
    const next = multiply(result, base);
    result = typeof next === "bigint" ? next : yield* next;
  }
  return result;
}

function* withoutLeadingZeros(bytes: Uint8Array): Steps<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SCANNED_BYTES) {
    const part = bytes.subarray(start, start + SCANNED_BYTES);
    const first = part.findIndex((byte) => byte !== 0);
    if (first !== -1) return bytes.subarray(start + first);
    yield;
  }
  return new Uint8Array();
}

function bitLength(value: bigint): number {
  const digits = value.toString(16);
  return 4 * digits.length - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28;
}

function trailingZeros(value: bigint): number {
  if ((value & 1n) === 1n) return 0;
  return bitLength(value & -value) - 1;
}
