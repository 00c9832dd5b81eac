import { runSteps } from "@plinth/core/async";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBigInt, toBytes } from "../bytes.js";
import { InvalidInput } from "../precompile.js";
import { createModexp, type ModexpPricing, modexpGas } from "./modexp.js";

const compute = createModexp("eip2565");
const RUNS = Number(process.env.PLINTH_PRECOMPILE_RUNS ?? 300);
/** Around the limits of limbs, words and the largest modulus for WebAssembly. */
const LENGTHS = [0, 1, 3, 4, 7, 8, 9, 31, 32, 33, 48, 68, 69, 70, 71, 72, 100];

describe("modexp", () => {
  it("agrees with BigInt for odd and even moduli of all sizes", () => {
    const operand = fc
      .constantFrom(...LENGTHS)
      .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
    const shift = fc.constantFrom(0, 0, 1, 8, 70, 600);
    fc.assert(
      fc.property(operand, operand, operand, shift, (base, exponent, modulus, bits) => {
        const shifted = toBytes(toBigInt(modulus) << BigInt(bits), modulus.length + bits);
        const result = runSteps(compute(anInput({ base, exponent, modulus: shifted })));
        const expected = slowModPow(toBigInt(base), toBigInt(exponent), toBigInt(shifted));
        expect(result).toEqual(toBytes(expected, shifted.length));
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ["0^0 mod 1", "", "", "01", "00"],
    ["0^0 mod 5", "00", "00", "05", "01"],
    ["0^5 mod 7", "00", "05", "07", "00"],
    ["a modulus of zero", "03", "05", "0000", "0000"],
    ["no modulus", "03", "05", "", ""],
    ["no base", "", "05", "07", "00"],
    ["-1 to an even power", "06", "ffffffffffffffff00", "07", "01"],
    ["a power of two", "03", "ffffffffffff", "0100", "ab"],
    ["an even base that vanishes", "02", "ffffffffffff", "0100", "00"],
    ["a small power of two that does not vanish", "02", "0000000007", "0100", "80"],
  ])("computes %s", (_, base, exponent, modulus, expected) => {
    const data = anInput({ base: hex(base), exponent: hex(exponent), modulus: hex(modulus) });

    const result = Buffer.from(runSteps(compute(data))).toString("hex");

    expect(result).toBe(expected.padStart(modulus.length, "0"));
  });

  it.each([
    ["an empty input", "", ""],
    ["truncated lengths", "00", ""],
    ["truncated operands", `${word(1)}${word(1)}${word(2)}0305`, "0000"],
    ["a truncated modulus", `${word(1)}${word(1)}${word(2)}030507`, "00f3"],
    ["a base far beyond the input", `${word(2n ** 30n)}${word(1)}${word(1)}`, "00"],
  ])("pads %s with zeros", (_, input, expected) => {
    expect(Buffer.from(runSteps(compute(hex(input)))).toString("hex")).toBe(expected);
  });

  it("returns nothing for an endless exponent with an empty modulus", () => {
    const data = hex(`${word(0)}${word(2n ** 255n)}${word(0)}`);

    expect(modexpGas(data, "eip2565")).toBe(200n);
    expect(runSteps(compute(data))).toHaveLength(0);
  });

  it.each<[ModexpPricing, bigint]>([
    ["eip198", 13_056n],
    ["eip2565", 1_360n],
    ["eip7883", 4_080n],
  ])("has the price of %s", (pricing, gas) => {
    const data = hex(`${word(32)}${word(32)}${word(32)}${"ff".repeat(96)}`);

    expect(modexpGas(data, pricing)).toBe(gas);
  });

  it("costs more than any gas limit if lengths are huge, without reading that far", () => {
    const data = hex(`${word(2n ** 256n - 1n)}${word(2n ** 256n - 1n)}${word(2n ** 256n - 1n)}`);

    for (const pricing of ["eip198", "eip2565", "eip7883"] as const) {
      expect(modexpGas(data, pricing)).toBeGreaterThan(2n ** 256n);
    }
  });

  it.each([0, 1, 2])("rejects operand %i above 1024 bytes since EIP-7823", (operand) => {
    const lengths = [1, 1, 1].map((length, index) => word(index === operand ? 1025 : length));

    expect(() => runSteps(createModexp("eip7883")(hex(lengths.join(""))))).toThrow(InvalidInput);
    expect(() => runSteps(compute(hex(lengths.join(""))))).not.toThrow();
  });
});

function anInput({
  base,
  exponent,
  modulus,
}: {
  base: Uint8Array;
  exponent: Uint8Array;
  modulus: Uint8Array;
}): Uint8Array {
  const lengths = [base, exponent, modulus].map(({ length }) => word(length)).join("");
  return Uint8Array.from([...hex(lengths), ...base, ...exponent, ...modulus]);
}

function slowModPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (modulus === 0n) return 0n;
  let [result, square] = [1n % modulus, base % modulus];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function word(value: number | bigint): string {
  return value.toString(16).padStart(64, "0");
}

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}
