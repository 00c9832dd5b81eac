import { MAX_NUMBER, toWord, type Word, wrap } from "./words.js";

/**
 * The arithmetic and bitwise instructions on words of either form.
 *
 * The interpreter computes the most common ones on numbers itself and calls these for the rest.
 */

const TWO_256 = 2n ** 256n;
const MAX_WORD = TWO_256 - 1n;
const TWO_32 = 2 ** 32;
const MAX_INT32 = 2 ** 31 - 1;
const WORD_BITS = 256;
/** A product of numbers is exact up to 2^53; above, BigInt is needed. */
const NUMBER_BITS = 53;

export function add(a: Word, b: Word): Word {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= MAX_NUMBER) return sum;
  }
  return wrap(BigInt(a) + BigInt(b));
}

export function sub(a: Word, b: Word): Word {
  if (typeof a === "number" && typeof b === "number" && a >= b) return a - b;
  return wrap(BigInt(a) - BigInt(b));
}

export function mul(a: Word, b: Word): Word {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (product <= MAX_NUMBER) return product;
  }
  return wrap(BigInt(a) * BigInt(b));
}

export function div(a: Word, b: Word): Word {
  if (b === 0) return 0;
  // The quotient of two integers below 2^53 is never rounded up to the next integer.
  if (typeof a === "number" && typeof b === "number") return Math.floor(a / b);
  return toWord(BigInt(a) / BigInt(b));
}

export function mod(a: Word, b: Word): Word {
  if (b === 0) return 0;
  if (typeof a === "number" && typeof b === "number") return a % b;
  return toWord(BigInt(a) % BigInt(b));
}

export function sdiv(a: Word, b: Word): Word {
  if (b === 0) return 0;
  return wrap(signed(a) / signed(b));
}

export function smod(a: Word, b: Word): Word {
  if (b === 0) return 0;
  return wrap(signed(a) % signed(b));
}

export function addmod(a: Word, b: Word, modulus: Word): Word {
  if (modulus === 0) return 0;
  return toWord((BigInt(a) + BigInt(b)) % BigInt(modulus));
}

export function mulmod(a: Word, b: Word, modulus: Word): Word {
  if (modulus === 0) return 0;
  return toWord((BigInt(a) * BigInt(b)) % BigInt(modulus));
}

/** Computed from the top of the exponent, four bits at a time. */
export function exp(base: Word, exponent: Word): Word {
  if (exponent === 0) return 1;
  if (base === 0 || base === 1) return base;
  if (base === 2) {
    return typeof exponent === "number" && exponent < WORD_BITS
      ? toWord(1n << BigInt(exponent))
      : 0;
  }
  const digits = exponent.toString(16);
  const powers = [1n, BigInt(base)];
  let result = 1n;
  for (let index = 0; index < digits.length; index += 1) {
    if (index > 0) {
      result = BigInt.asUintN(WORD_BITS, result * result);
      result = BigInt.asUintN(WORD_BITS, result * result);
      result = BigInt.asUintN(WORD_BITS, result * result);
      result = BigInt.asUintN(WORD_BITS, result * result);
    }
    const digit = Number.parseInt(digits[index] as string, 16);
    if (digit > 0) result = BigInt.asUintN(WORD_BITS, result * powerOf(powers, digit));
  }
  return toWord(result);
}

/** A power of the base up to the 15th; `powers` has the known ones. */
function powerOf(powers: bigint[], exponent: number): bigint {
  const [, base = 0n] = powers;
  for (let next = powers.length; next <= exponent; next += 1) {
    powers.push(BigInt.asUintN(WORD_BITS, (powers[next - 1] as bigint) * base));
  }
  return powers[exponent] as bigint;
}

/** Number of bytes of an exponent, which determines the cost of EXP. */
export function byteLength(word: Word): number {
  return word === 0 ? 0 : Math.ceil(word.toString(16).length / 2);
}

export function signextend(index: Word, value: Word): Word {
  if (typeof index === "bigint" || index > 30) return value;
  const bits = 8 * (index + 1);
  return wrap(BigInt.asIntN(bits, BigInt(value)));
}

export function slt(a: Word, b: Word): Word {
  // Numbers are positive either way.
  if (typeof a === "number" && typeof b === "number") return a < b ? 1 : 0;
  return signed(a) < signed(b) ? 1 : 0;
}

export function and(a: Word, b: Word): Word {
  if (typeof a === "number") {
    if (typeof b === "number") return andNumbers(a, b);
    return andNumbers(a, Number(BigInt.asUintN(NUMBER_BITS, b)));
  }
  if (typeof b === "number") return andNumbers(Number(BigInt.asUintN(NUMBER_BITS, a)), b);
  return toWord(a & b);
}

function andNumbers(a: number, b: number): number {
  if (a <= MAX_INT32 && b <= MAX_INT32) return a & b;
  return (
    (Math.floor(a / TWO_32) & Math.floor(b / TWO_32)) * TWO_32 + (((a >>> 0) & (b >>> 0)) >>> 0)
  );
}

export function or(a: Word, b: Word): Word {
  if (typeof a === "number" && typeof b === "number") {
    if (a <= MAX_INT32 && b <= MAX_INT32) return a | b;
    return (
      (Math.floor(a / TWO_32) | Math.floor(b / TWO_32)) * TWO_32 + (((a >>> 0) | (b >>> 0)) >>> 0)
    );
  }
  return toWord(BigInt(a) | BigInt(b));
}

export function xor(a: Word, b: Word): Word {
  if (typeof a === "number" && typeof b === "number" && a <= MAX_INT32 && b <= MAX_INT32) {
    return a ^ b;
  }
  return toWord(BigInt(a) ^ BigInt(b));
}

export function not(a: Word): Word {
  return toWord(MAX_WORD - BigInt(a));
}

export function byte(index: Word, value: Word): Word {
  if (typeof index === "bigint" || index > 31) return 0;
  const shift = 8 * (31 - index);
  if (typeof value === "number") {
    return shift >= NUMBER_BITS ? 0 : Math.floor(value / 2 ** shift) % 256;
  }
  return Number((value >> BigInt(shift)) & 255n);
}

export function shl(shift: Word, value: Word): Word {
  if (typeof shift === "bigint" || shift >= WORD_BITS || value === 0) return 0;
  if (typeof value === "number" && shift < NUMBER_BITS) {
    const shifted = value * 2 ** shift;
    if (shifted <= MAX_NUMBER) return shifted;
  }
  return wrap(BigInt(value) << BigInt(shift));
}

export function shr(shift: Word, value: Word): Word {
  if (typeof shift === "bigint" || shift >= WORD_BITS) return 0;
  if (typeof value === "number") {
    return shift >= NUMBER_BITS ? 0 : Math.floor(value / 2 ** shift);
  }
  return toWord(value >> BigInt(shift));
}

export function sar(shift: Word, value: Word): Word {
  if (typeof value === "number") return shr(shift, value);
  const number = BigInt.asIntN(WORD_BITS, value);
  if (typeof shift === "bigint" || shift >= WORD_BITS) return number < 0n ? MAX_WORD : 0;
  return wrap(number >> BigInt(shift));
}

function signed(word: Word): bigint {
  return typeof word === "number" ? BigInt(word) : BigInt.asIntN(WORD_BITS, word);
}
