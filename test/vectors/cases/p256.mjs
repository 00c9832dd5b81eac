import { aCase, CODE, callWithData, contract, data, tx, word } from "./build.mjs";

const fork = "Osaka";

const SIGNED = {
  hash: "57bf24e516c2b0dd04895e81518f24542a1e52eeb003527435648ba05bedfdb5",
  r: "dc1dbfb5a82b347400539823b66cf096ed07f56881e51f4c7ec802c97d447ac2",
  s: "f0096cd3ce849f00f3e653a772c7d5ea30081812e9148a9f2333d02b7b76d4d2",
  x: "74aa0bff700e544316001951cb676d838603860302bee492f3e5bafb142aed57",
  y: "79f97daf6b85d5ac9d03085a4d80a7193d06176f1874fd1778f31cbfb08cbbcd",
};
/** FIPS 186-4: the order of P-256, and the modulus of its field. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const MODULUS = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const verify = (name, change = {}, settings = {}) => {
  const { hash, r, s, x, y } = { ...SIGNED, ...change };
  const input = settings.input ?? hash + r + s + x + y;
  return aCase({
    name,
    eip: 7951,
    fork: settings.fork ?? fork,
    alloc: { [CODE]: contract(callWithData("0x0100", settings.gas)) },
    transactions: [tx({ data: data(input) })],
  });
};
/** EIP-7951: the precompile P256VERIFY. */
export const p256 = [
  verify("a valid signature"),
  verify("the other s is valid too", { s: word(ORDER - BigInt(`0x${SIGNED.s}`)) }),
  verify("another hash", { hash: word(1) }),
  verify("r of zero", { r: word(0) }),
  verify("s of zero", { s: word(0) }),
  verify("r of the order", { r: word(ORDER) }),
  verify("s of the order", { s: word(ORDER) }),
  verify("a key off the curve", { y: word(1) }),
  verify("a key at infinity", { x: word(0), y: word(0) }),
  verify("a coordinate of the modulus", { x: word(MODULUS) }),
  verify("a short input", {}, { input: SIGNED.hash }),
  verify("a long input", {}, { input: `${Object.values(SIGNED).join("")}00` }),
  verify("no input", {}, { input: "" }),
  verify("exactly enough gas", {}, { gas: "611af4" }),
  verify("one gas short", {}, { gas: "611af3" }),
  verify("is no precompile before Osaka", {}, { fork: "Prague" }),
];
