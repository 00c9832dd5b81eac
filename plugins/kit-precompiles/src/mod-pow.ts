import { toBigInt } from "./bytes.js";
import { findMontgomery } from "./montgomery.js";
import type { Interrupt } from "./precompile.js";

/** Shorter exponents are not worth a table of powers. */
const MIN_WINDOWED_BYTES = 4;
const WINDOW_BITS = 4;
const POWERS = 2 ** WINDOW_BITS;

/** The operands of a modular exponentiation; the modulus is not zero, the exponent is big-endian. */
export interface ModPowOperands {
  readonly base: bigint;
  readonly exponent: Uint8Array;
  readonly modulus: bigint;
}

type Multiply = (one: bigint, other: bigint) => bigint;

/** Computes base^exponent mod modulus. */
export function modPow(
  { base, exponent: bytes, modulus }: ModPowOperands,
  interrupt: Interrupt,
): bigint {
  const exponent = withoutLeadingZeros(bytes);
  if (exponent.length === 0) return 1n % modulus;
  const operands = { base: base % modulus, exponent, modulus };
  if (exponent.length < MIN_WINDOWED_BYTES) return modPowBigInt(operands, interrupt);
  const shift = trailingZeros(modulus);
  const odd = modulus >> shift;
  const montgomery = findMontgomery(odd);
  if (montgomery === undefined) return modPowBigInt(operands, interrupt);
  const modOdd =
    odd === 1n ? 0n : montgomery.power({ base: base % odd, exponent, modulus: odd }, interrupt);
  if (shift === 0n) return modOdd;
  const modPower = powModPowerOfTwo({ base, exponent, bits: Number(shift) }, interrupt);
  return combine({ modOdd, odd, modPower, bits: Number(shift) });
}

function modPowBigInt({ base, exponent, modulus }: ModPowOperands, interrupt: Interrupt): bigint {
  return pow(base, exponent, (one, other) => (one * other) % modulus, interrupt);
}

/** Modulo 2^bits, few bits of the exponent count: the order of an odd base divides 2^bits, and an even base vanishes. */
function powModPowerOfTwo(
  {
    base,
    exponent,
    bits,
  }: { readonly base: bigint; readonly exponent: Uint8Array; readonly bits: number },
  interrupt: Interrupt,
): bigint {
  const multiply: Multiply = (one, other) => BigInt.asUintN(bits, one * other);
  const low = BigInt.asUintN(bits, base);
  if ((low & 1n) === 0n && toBigInt(exponent) >= BigInt(bits)) return 0n;
  const counted = withoutLeadingZeros(exponent.subarray(-Math.ceil(bits / 8)));
  return counted.length === 0 ? 1n : pow(low, counted, multiply, interrupt);
}

/** The Chinese remainder theorem, for an odd number and a power of two. */
function combine({
  modOdd,
  odd,
  modPower,
  bits,
}: {
  readonly modOdd: bigint;
  readonly odd: bigint;
  readonly modPower: bigint;
  readonly bits: number;
}): bigint {
  let inverse = odd;
  for (let right = 3; right < bits; right *= 2) {
    inverse = BigInt.asUintN(bits, inverse * (2n - odd * inverse));
  }
  return modOdd + odd * BigInt.asUintN(bits, (modPower - modOdd) * inverse);
}

/** Square and multiply, in windows of four bits where that pays; the exponent begins with a byte that is not zero. */
function pow(base: bigint, exponent: Uint8Array, multiply: Multiply, interrupt: Interrupt): bigint {
  if (exponent.length < MIN_WINDOWED_BYTES) return powBinary(base, exponent, multiply, interrupt);
  const powers = [1n, base];
  for (let power = 2; power < POWERS; power++) {
    powers.push(multiply(powers[power - 1] ?? 1n, base));
    interrupt();
  }
  let result = 1n;
  for (const byte of exponent) {
    for (const window of [byte >> WINDOW_BITS, byte % POWERS]) {
      for (let bit = 0; bit < WINDOW_BITS; bit++) result = multiply(result, result);
      if (window !== 0) result = multiply(result, powers[window] ?? 1n);
      interrupt();
    }
  }
  return result;
}

function powBinary(
  base: bigint,
  exponent: Uint8Array,
  multiply: Multiply,
  interrupt: Interrupt,
): bigint {
  const [, ...bits] = toBigInt(exponent).toString(2);
  let result = base;
  for (const bit of bits) {
    result = multiply(result, result);
    if (bit === "1") result = multiply(result, base);
    interrupt();
  }
  return result;
}

function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? new Uint8Array() : bytes.subarray(first);
}

function trailingZeros(value: bigint): bigint {
  if ((value & 1n) === 1n) return 0n;
  return BigInt((value & -value).toString(2).length - 1);
}
