import {
  aCase,
  blobs,
  CODE,
  callWithData,
  contract,
  data,
  NOBODY,
  storeAll,
  tx,
  word,
} from "./build.mjs";

const fork = "Osaka";

/** The input of MODEXP with operands of these lengths; `fill` is the byte that they are made of. */
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
const bounds = [
  ["operands of 1024 bytes", { base: 1024, exponent: 2, modulus: 1024 }],
  ["a base of 1025 bytes", { base: 1025, exponent: 1, modulus: 1 }],
  ["an exponent of 1024 bytes", { base: 1, exponent: 1024, modulus: 1 }],
  ["an exponent of 1025 bytes", { base: 1, exponent: 1025, modulus: 1 }],
  ["a modulus of 1025 bytes", { base: 1, exponent: 1, modulus: 1025 }],
  ["a length beyond 64 bits", { base: 0, exponent: 0, modulus: 0, lengths: [0n, 2n ** 64n, 0n] }],
  ["a base of 1025 bytes and no modulus", { base: 1025, exponent: 0, modulus: 0 }],
].map(([name, operands]) => modexpCase(7823, name, modexp(operands)));
const prices = [
  ["nothing at all", ""],
  ["small operands cost the least", modexp({ base: 1, exponent: 1, modulus: 1 })],
  ["32 bytes each", modexp({ base: 32, exponent: 32, modulus: 32 })],
  ["33 bytes each", modexp({ base: 33, exponent: 33, modulus: 33 })],
  ["a long exponent", modexp({ base: 32, exponent: 200, modulus: 32 })],
  ["a long exponent of zeros", modexp({ base: 64, exponent: 64, modulus: 64, fill: "00" })],
  ["a modulus of 256 bytes", modexp({ base: 256, exponent: 3, modulus: 256 })],
  ["an even modulus", modexp({ base: 40, exponent: 40, modulus: 40, fill: "fe" })],
].map(([name, input]) => modexpCase(7883, name, input));
const leastGas = [
  modexpCase(7883, "exactly the least gas", modexp({ base: 1, exponent: 1, modulus: 1 }), {
    gas: "6101f4",
  }),
  modexpCase(7883, "one gas below the least", modexp({ base: 1, exponent: 1, modulus: 1 }), {
    gas: "6101f3",
  }),
];

const gasCap = (name, transactions) => aCase({ name, eip: 7825, fork, transactions });
const gasCaps = [
  gasCap("a transaction of 2^24 gas", [tx({ to: NOBODY, gasLimit: 2n ** 24n })]),
  gasCap("a transaction of one gas more", [tx({ to: NOBODY, gasLimit: 2n ** 24n + 1n })]),
  gasCap("a creation of one gas more, then a transfer", [
    tx({ to: undefined, gasLimit: 2n ** 24n + 1n }),
    tx({ to: NOBODY, gasLimit: 21_000n }),
  ]),
];

const clz = (name, values, settings = {}) =>
  aCase({
    name,
    eip: 7939,
    fork: settings.fork ?? fork,
    alloc: { [CODE]: contract(storeAll(values.map((value) => `7f${word(value)}1e`))) },
    transactions: [tx(settings)],
  });
const clzCases = [
  clz("of zero, one and the largest", [0n, 1n, 2n ** 256n - 1n]),
  clz(
    "of every power of two times 17",
    Array.from({ length: 15 }, (_, index) => 2n ** BigInt(index * 17)),
  ),
  clz("of the highest bit and what is below it", [2n ** 255n, 2n ** 255n - 1n, 2n ** 128n]),
  clz("is no instruction before Osaka", [1n], { fork: "Prague" }),
  aCase({
    name: "on an empty stack",
    eip: 7939,
    fork,
    alloc: { [CODE]: contract("1e") },
    transactions: [tx()],
  }),
];

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
const p256 = (name, change = {}, settings = {}) => {
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
const p256Cases = [
  p256("a valid signature"),
  p256("the other s is valid too", { s: word(ORDER - BigInt(`0x${SIGNED.s}`)) }),
  p256("another hash", { hash: word(1) }),
  p256("r of zero", { r: word(0) }),
  p256("s of zero", { s: word(0) }),
  p256("r of the order", { r: word(ORDER) }),
  p256("s of the order", { s: word(ORDER) }),
  p256("a key off the curve", { y: word(1) }),
  p256("a key at infinity", { x: word(0), y: word(0) }),
  p256("a coordinate of the modulus", { x: word(MODULUS) }),
  p256("a short input", {}, { input: SIGNED.hash }),
  p256("a long input", {}, { input: `${Object.values(SIGNED).join("")}00` }),
  p256("no input", {}, { input: "" }),
  p256("exactly enough gas", {}, { gas: "611af4" }),
  p256("one gas short", {}, { gas: "611af3" }),
  p256("is no precompile before Osaka", {}, { fork: "Prague" }),
];

const blobCase = ({ eip, name, counts, env = {}, ...settings }) =>
  aCase({
    name,
    eip,
    fork: settings.fork ?? fork,
    env,
    alloc: { [CODE]: contract(storeAll(["4a", "5f49"])) },
    transactions: counts.map((count, nonce) =>
      tx({ nonce: BigInt(nonce), blobVersionedHashes: blobs(count) }),
    ),
  });
const blobLimits = [
  blobCase({ eip: 7594, name: "six blobs in a transaction", counts: [6] }),
  blobCase({ eip: 7594, name: "seven blobs in a transaction", counts: [7] }),
  blobCase({ eip: 7594, name: "nine blobs in two transactions", counts: [6, 3] }),
  blobCase({
    eip: 7892,
    name: "as many blobs as the first change allows",
    counts: [6, 6, 2],
    fork: "BPO1",
  }),
  blobCase({
    eip: 7892,
    name: "one blob more than the first change allows",
    counts: [6, 6, 3],
    fork: "BPO1",
  }),
  blobCase({
    eip: 7892,
    name: "the price follows the changed fraction",
    counts: [1],
    fork: "BPO1",
    env: { currentExcessBlobGas: "0x5000000" },
  }),
];
const reserve = (name, { excess, used, baseFee, counts = [1] }) =>
  blobCase({
    eip: 7918,
    name,
    counts,
    env: {
      currentExcessBlobGas: undefined,
      parentExcessBlobGas: excess,
      parentBlobGasUsed: used,
      parentBaseFee: baseFee,
      parentTimestamp: "0x3e0",
    },
  });
const reservePrices = [
  reserve("a high base fee lets the excess grow slower", {
    excess: "0x1000000",
    used: "0x100000",
    baseFee: "0x3b9aca00",
  }),
  reserve("a low base fee leaves the old rule", {
    excess: "0x4000000",
    used: "0x100000",
    baseFee: "0x7",
  }),
  reserve("at the border nothing is reserved", {
    excess: "0x0",
    used: "0x100000",
    baseFee: "0x10",
  }),
  reserve("just above the border", { excess: "0x0", used: "0x100000", baseFee: "0x11" }),
  reserve("below the target there is no excess", {
    excess: "0x0",
    used: "0xa0000",
    baseFee: "0x3b9aca00",
  }),
];

export const cases = [
  ...bounds,
  ...prices,
  ...leastGas,
  ...gasCaps,
  ...clzCases,
  ...p256Cases,
  ...blobLimits,
  ...reservePrices,
];
