import type { Steps } from "@plinth/core/async";
import { toBigInt, toBytes } from "../bytes.js";
import { type Compute, InvalidInput } from "../precompile.js";
import { modPow } from "./mod-pow.js";

/**
 * The EIP that prices modular exponentiation; EIP-7883 comes together with the upper bound of
 * EIP-7823.
 */
export type ModexpPricing = "eip198" | "eip2565" | "eip7883";

const HEAD_BYTES = 96;
const WORD_BYTES = 32;
const MAX_OPERAND_BYTES_EIP_7823 = 1024n;
/** More than any gas limit pays for, and less than the maximum length of an array. */
const MAX_OPERAND_BYTES = 2n ** 31n - 1n;

/** Converting numbers above this length takes a while. */
const LONG_BYTES = 65_536;

/** The operands of modexp as declared by its input. */
interface Lengths {
  readonly base: bigint;
  readonly exponent: bigint;
  readonly modulus: bigint;
}

/** Price of a modular exponentiation. */
export function modexpGas(data: Uint8Array, pricing: ModexpPricing): bigint {
  const lengths = readLengths(data);
  const longest = max(lengths.base, lengths.modulus);
  const words = (longest + 7n) / 8n;
  switch (pricing) {
    case "eip198":
      return (complexityEip198(longest) * iterations(data, lengths, 8n)) / 20n;
    case "eip2565":
      return max(200n, (words * words * iterations(data, lengths, 8n)) / 3n);
    case "eip7883": {
      const complexity = longest > 32n ? 2n * words * words : 16n;
      return max(500n, complexity * iterations(data, lengths, 16n));
    }
  }
}

/**
 * Creates modular exponentiation (EIP-198), with the bound on its operands if EIP-7823 is active.
 */
export function createModexp(pricing: ModexpPricing): Compute {
  const isBounded = pricing === "eip7883";
  const limit = isBounded ? MAX_OPERAND_BYTES_EIP_7823 : MAX_OPERAND_BYTES;
  return function* (data) {
    const lengths = readLengths(data);
    const { base, exponent, modulus } = lengths;
    if (!isBounded && base === 0n && modulus === 0n) return new Uint8Array();
    if (base > limit || exponent > limit || modulus > limit) {
      throw new InvalidInput(`modexp: operands of ${base}, ${exponent} and ${modulus} bytes`);
    }
    return yield* computeModexp(data, lengths);
  };
}

function* computeModexp(data: Uint8Array, lengths: Lengths): Steps<Uint8Array> {
  const [base, exponent, length] = [lengths.base, lengths.exponent, lengths.modulus].map(
    Number,
  ) as [number, number, number];
  const exponentStart = HEAD_BYTES + base;
  const modulusStart = exponentStart + exponent;
  const modulus = readNumber(data, modulusStart, length);
  // Also if the input ends before the modulus: nothing as long as a declared operand is allocated
  // before.
  if (modulus === 0n) return new Uint8Array(length);
  if (length > LONG_BYTES) yield;
  const result = yield* modPow({
    // The base is complete: the modulus starts behind it.
    base: data.subarray(HEAD_BYTES, exponentStart),
    exponent: data.subarray(exponentStart, modulusStart),
    modulus,
  });
  if (length > LONG_BYTES) yield;
  return toBytes(result, length);
}

/** A number of a declared length, padded with zeros if the input ends before it. */
function readNumber(data: Uint8Array, start: number, length: number): bigint {
  const bytes = data.subarray(start, start + length);
  const value = toBigInt(bytes);
  return value === 0n ? 0n : value << BigInt(8 * (length - bytes.length));
}

function readLengths(data: Uint8Array): Lengths {
  const [base = 0n, exponent = 0n, modulus = 0n] = [0, 1, 2].map((index) =>
    toBigInt(padWord(data.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES))),
  );
  return { base, exponent, modulus };
}

function padWord(bytes: Uint8Array): Uint8Array {
  if (bytes.length === WORD_BYTES) return bytes;
  const word = new Uint8Array(WORD_BYTES);
  word.set(bytes);
  return word;
}

/**
 * EIP-198, EIP-2565 and EIP-7883 count alike: the bits of the first 32 bytes, and those after at a
 * flat rate.
 */
function iterations(data: Uint8Array, { base, exponent }: Lengths, perByte: bigint): bigint {
  const bits = BigInt(headBits(data, base, exponent));
  const rest = exponent > 32n ? (exponent - 32n) * perByte : 0n;
  return max(1n, rest + max(0n, bits - 1n));
}

/** Number of bits of the first 32 bytes of the exponent. */
function headBits(data: Uint8Array, base: bigint, exponent: bigint): number {
  if (base >= BigInt(data.length)) return 0;
  const start = HEAD_BYTES + Number(base);
  const length = exponent < 32n ? Number(exponent) : WORD_BYTES;
  const head = readNumber(data, start, length);
  return head === 0n ? 0 : head.toString(2).length;
}

function complexityEip198(length: bigint): bigint {
  if (length <= 64n) return length * length;
  if (length <= 1024n) return (length * length) / 4n + 96n * length - 3072n;
  return (length * length) / 16n + 480n * length - 199_680n;
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
