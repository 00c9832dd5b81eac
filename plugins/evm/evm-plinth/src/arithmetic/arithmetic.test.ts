import { describe, expect, it } from "vitest";
import * as arithmetic from "./arithmetic.js";
import { toWord, type Word, wrap } from "./words.js";

/** Around the limits of numbers, of their halves, and of words. */
const EDGES = [0n, 8n, 31n, 32n, 52n, 53n, 54n, 64n, 160n, 255n, 256n]
  .flatMap((bits) => [2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n])
  .map((value) => BigInt.asUintN(256, value));
const PAIRS = EDGES.flatMap((a) => EDGES.map((b) => [a, b] as const));
const MASK = 2n ** 256n - 1n;

const signed = (value: bigint) => BigInt.asIntN(256, value);
const flag = (value: boolean) => (value ? 1n : 0n);

/** The definitions of the Yellow Paper, on integers. */
const BINARY: readonly (readonly [
  string,
  (a: Word, b: Word) => Word,
  (a: bigint, b: bigint) => bigint,
])[] = [
  ["add", arithmetic.add, (a, b) => a + b],
  ["sub", arithmetic.sub, (a, b) => a - b],
  ["mul", arithmetic.mul, (a, b) => a * b],
  ["div", arithmetic.div, (a, b) => (b === 0n ? 0n : a / b)],
  ["mod", arithmetic.mod, (a, b) => (b === 0n ? 0n : a % b)],
  ["sdiv", arithmetic.sdiv, (a, b) => (b === 0n ? 0n : signed(a) / signed(b))],
  ["smod", arithmetic.smod, (a, b) => (b === 0n ? 0n : signed(a) % signed(b))],
  ["slt", arithmetic.slt, (a, b) => flag(signed(a) < signed(b))],
  ["and", arithmetic.and, (a, b) => a & b],
  ["or", arithmetic.or, (a, b) => a | b],
  ["xor", arithmetic.xor, (a, b) => a ^ b],
  ["byte", arithmetic.byte, (i, x) => (i > 31n ? 0n : (x >> (8n * (31n - i))) & 255n)],
  ["shl", arithmetic.shl, (n, x) => (n > 255n ? 0n : x << n)],
  ["shr", arithmetic.shr, (n, x) => (n > 255n ? 0n : x >> n)],
  ["sar", arithmetic.sar, (n, x) => signed(x) >> (n > 255n ? 255n : n)],
  [
    "signextend",
    arithmetic.signextend,
    (i, x) => (i > 30n ? x : BigInt.asIntN(Number(8n * i + 8n), x)),
  ],
];

describe("instructions on two words", () => {
  it.each(BINARY)("%s is right at the edges", (_, compute, expected) => {
    for (const [a, b] of PAIRS) {
      const result = compute(toWord(a), toWord(b));
      if (result !== wrap(expected(a, b))) expect({ a, b, result }).toEqual(wrap(expected(a, b)));
    }
  });
});

describe("instructions on three words", () => {
  it.each([
    ["addmod", arithmetic.addmod, (a: bigint, b: bigint) => a + b],
    ["mulmod", arithmetic.mulmod, (a: bigint, b: bigint) => a * b],
  ])("%s is right at the edges", (_, compute, combine) => {
    for (const [a, b] of PAIRS) {
      for (const modulus of EDGES) {
        const expected = modulus === 0n ? 0 : toWord(combine(a, b) % modulus);
        const result = compute(toWord(a), toWord(b), toWord(modulus));
        if (result !== expected) expect({ a, b, modulus, result }).toEqual(expected);
      }
    }
  });
});

describe("other instructions", () => {
  it("not inverts every bit", () => {
    for (const a of EDGES) expect(arithmetic.not(toWord(a))).toBe(toWord(MASK ^ a));
  });

  it.each([
    [0n, 0n],
    [0n, 5n],
    [1n, MASK],
    [2n, 255n],
    [2n, 256n],
    [3n, 161n],
    [3n, 162n],
    [10n, 77n],
    [MASK, MASK],
    [2n ** 53n, 5n],
    [7n, 2n ** 128n + 12_345n],
  ])("%s to the power of %s", (base, exponent) => {
    expect(arithmetic.exp(toWord(base), toWord(exponent))).toBe(toWord(power(base, exponent)));
  });

  it.each([
    [0, 0],
    [1, 1],
    [255, 1],
    [256, 2],
    [2 ** 53 - 1, 7],
    [2n ** 255n, 32],
  ])("%s has %s bytes", (word, bytes) => {
    expect(arithmetic.byteLength(word)).toBe(bytes);
  });
});

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = BigInt.asUintN(256, result * result * (bit === "1" ? base : 1n));
  }
  return exponent === 0n ? 1n : result;
}
