import { runSteps } from "@plinth/core/async";
import { createRandom } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { toBigInt } from "../bytes.js";
import { product, remainder } from "./long-arithmetic.js";

const BITS = [64, 131_072, 131_073, 262_145, 400_003, 600_000];

describe.each(BITS)("numbers of %i bits", (bits) => {
  const highest = 1n << BigInt(bits - 1);
  const most = (highest << 1n) - 1n;
  const some = [
    aNumber(bits, 1),
    aNumber(bits, 2),
    highest,
    highest + 1n,
    most,
    most - highest / 7n,
  ];

  it("are multiplied", () => {
    for (const one of [0n, 1n, ...some]) {
      for (const other of some) {
        expect(runSteps(product(one, other, bits)) === one * other).toBe(true);
      }
    }
  });

  it("are divided", () => {
    for (const modulus of some) {
      const values = [0n, modulus, modulus * most, (modulus << BigInt(bits)) - 1n, most ** 2n / 3n];
      for (const value of values.filter((each) => each >> BigInt(bits) < modulus)) {
        expect(runSteps(remainder(value, modulus, bits)) === value % modulus).toBe(true);
      }
    }
  });
});

it("has only short steps", () => {
  const [one, other] = [aNumber(800_000, 1), aNumber(800_000, 2)];
  let steps = 0;

  runSteps(remainder(one * other, other - 1n, 800_000), () => {
    steps += 1;
  });

  expect(steps).toBeGreaterThan(50);
});

/** A number with exactly this many bits. */
function aNumber(bits: number, seed: number): bigint {
  const random = createRandom(seed);
  const bytes = Uint8Array.from({ length: Math.ceil(bits / 8) }, () => 256 * random());
  return BigInt.asUintN(bits - 1, toBigInt(bytes)) | (1n << BigInt(bits - 1));
}
