import { aCase, CODE, callWithData, contract, data, tx, word } from "./build.mjs";

const fork = "Osaka";

/** The input of MODEXP with operands of these lengths; `fill` is the byte they consist of. */
function modexp({ base, exponent, modulus, fill = "ff", lengths = [base, exponent, modulus] }) {
  const operands = [base, exponent, modulus].map((length) => fill.repeat(length));
  return lengths.map((length) => word(length)).join("") + operands.join("");
}
const modexpCase = (eip, name, input, { gasLimit = 16_000_000n, gas } = {}) =>
  aCase({
    name,
    eip,
    fork,
    alloc: { [CODE]: contract(callWithData("0x05", gas)) },
    transactions: [tx({ data: data(input), gasLimit })],
  });
/** EIP-7823: bounds of MODEXP. */
export const bounds = [
  ["operands of 1024 bytes", { base: 1024, exponent: 2, modulus: 1024 }],
  ["a base of 1025 bytes", { base: 1025, exponent: 1, modulus: 1 }],
  ["an exponent of 1024 bytes", { base: 1, exponent: 1024, modulus: 1 }],
  ["an exponent of 1025 bytes", { base: 1, exponent: 1025, modulus: 1 }],
  ["a modulus of 1025 bytes", { base: 1, exponent: 1, modulus: 1025 }],
  ["a length beyond 64 bits", { base: 0, exponent: 0, modulus: 0, lengths: [0n, 2n ** 64n, 0n] }],
  ["a base of 1025 bytes and no modulus", { base: 1025, exponent: 0, modulus: 0 }],
].map(([name, operands]) => modexpCase(7823, name, modexp(operands)));
const LONG_EXPONENT = `${[33, 33, 33].map((length) => word(length)).join("")}${"ff".repeat(33)}${word(1, 33)}${"fd".repeat(33)}`;

/** EIP-7883: prices of MODEXP. */
export const prices = [
  ["nothing at all", ""],
  ["small operands cost the least", modexp({ base: 1, exponent: 1, modulus: 1 })],
  ["32 bytes each", modexp({ base: 32, exponent: 32, modulus: 32 })],
  ["33 bytes each", modexp({ base: 33, exponent: 33, modulus: 33 })],
  ["a long exponent", modexp({ base: 32, exponent: 200, modulus: 32 })],
  ["a long exponent of zeros", modexp({ base: 64, exponent: 64, modulus: 64, fill: "00" })],
  ["a modulus of 256 bytes", modexp({ base: 256, exponent: 3, modulus: 256 })],
  ["an even modulus", modexp({ base: 40, exponent: 40, modulus: 40, fill: "fe" })],
  ["a modulus of zero", modexp({ base: 2, exponent: 2, modulus: 3, fill: "00" })],
  ["no modulus", modexp({ base: 64, exponent: 64, modulus: 0 })],
  ["no base", modexp({ base: 0, exponent: 40, modulus: 40 })],
  [
    "operands that are not all there",
    modexp({ base: 3, exponent: 0, modulus: 0, lengths: [64, 64, 64] }),
  ],
  ["an exponent of 33 bytes with a small head", LONG_EXPONENT],
  ["exactly the least gas", modexp({ base: 1, exponent: 1, modulus: 1 }), { gas: "6101f4" }],
  ["one gas below the least", modexp({ base: 1, exponent: 1, modulus: 1 }), { gas: "6101f3" }],
].map(([name, input, settings]) => modexpCase(7883, name, input, settings));
