import type { Steps } from "@plinth/core/async";

/** Numbers up to this length are multiplied and divided in one step of about five milliseconds. */
const MAX_FACTOR_BITS = 8 * 32_768;
const MAX_DIVISOR_BITS = 8 * 16_384;

/** The product of two numbers, by Karatsuba's method as far as needed for short steps. */
export function* product(one: bigint, other: bigint, bits: number): Steps<bigint> {
  if (bits <= MAX_FACTOR_BITS) {
    yield;
    return one * other;
  }
  const half = Math.ceil(bits / 2);
  const shift = BigInt(half);
  const [oneHigh, oneLow] = [one >> shift, BigInt.asUintN(half, one)];
  yield;
  const [otherHigh, otherLow] = [other >> shift, BigInt.asUintN(half, other)];
  const high = yield* product(oneHigh, otherHigh, half);
  const low = yield* product(oneLow, otherLow, half);
  const both = yield* product(oneHigh + oneLow, otherHigh + otherLow, half + 1);
  yield;
  const middle = both - high - low;
  yield;
  const sum = (high << shift) + middle;
  yield;
  return (sum << shift) + low;
}

/** The remainder of a number below modulus · 2^bits, where the modulus has that many bits. */
export function* remainder(value: bigint, modulus: bigint, bits: number): Steps<bigint> {
  if (bits <= MAX_DIVISOR_BITS) {
    yield;
    return value % modulus;
  }
  return (yield* divide(value, modulus, bits)).rest;
}

interface Division {
  readonly quotient: bigint;
  readonly rest: bigint;
}

/**
 * The division of Burnikel and Ziegler: of twice as many bits by as many, in two divisions of half
 * the length.
 *
 * The divisor has exactly the given number of bits, and the quotient has no more.
 */
function* divide(value: bigint, divisor: bigint, bits: number): Steps<Division> {
  if (bits <= MAX_DIVISOR_BITS) {
    yield;
    const quotient = value / divisor;
    return { quotient, rest: value - quotient * divisor };
  }
  if (bits % 2 === 1) {
    const { quotient, rest } = yield* divide(value << 1n, divisor << 1n, bits + 1);
    return { quotient, rest: rest >> 1n };
  }
  const half = bits / 2;
  const shift = BigInt(half);
  const parts = { divisor, high: divisor >> shift, low: BigInt.asUintN(half, divisor), half };
  yield;
  const lower = BigInt.asUintN(bits, value);
  yield;
  const first = yield* divideByTwoHalves(value >> BigInt(bits), lower >> shift, parts);
  const second = yield* divideByTwoHalves(first.rest, BigInt.asUintN(half, lower), parts);
  return { quotient: (first.quotient << shift) + second.quotient, rest: second.rest };
}

/** Divides three halves, of which the upper two are below the divisor, by its two halves. */
function* divideByTwoHalves(
  upper: bigint,
  lowest: bigint,
  {
    divisor,
    high,
    low,
    half,
  }: {
    readonly divisor: bigint;
    readonly high: bigint;
    readonly low: bigint;
    readonly half: number;
  },
): Steps<Division> {
  const shift = BigInt(half);
  // The estimate must not have more bits than a half.
  const isFull = upper >> shift === high;
  const estimate: Division = isFull
    ? { quotient: (1n << shift) - 1n, rest: upper - (high << shift) + high }
    : yield* divide(upper, high, half);
  let { quotient } = estimate;
  const excess = yield* product(quotient, low, half);
  yield;
  let rest = (estimate.rest << shift) + lowest - excess;
  // Twice at most.
  while (rest < 0n) {
    yield;
    quotient -= 1n;
    rest += divisor;
  }
  return { quotient, rest };
}
