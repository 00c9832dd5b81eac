import { aCase, CODE, callWithData, contract, data, tx, word } from "./build.mjs";

const fork = "Prague";

const FIELD = (digits) => digits.padStart(128, "0");
const G1 =
  FIELD(
    "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
  ) +
  FIELD(
    "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1",
  );
const G2 = [
  "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8",
  "13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e",
  "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801",
  "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be",
]
  .map(FIELD)
  .join("");
const NO_G1 = "0".repeat(256);
const NO_G2 = "0".repeat(512);
const OFF_CURVE = FIELD("1") + FIELD("1");
/** On the curve, but not in the subgroup of pairings. */
const OFF_SUBGROUP =
  FIELD("4") +
  FIELD(
    "0a989badd40d6212b33cffc3f3763e9bc760f988c9926b26da9dd85e928483446346b8ed00e1de5d5ea93e354abe706c",
  );
/** The modulus of the field, which is not an element of it. */
const MODULUS =
  "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";

const precompile = (address, name, input, gas) =>
  aCase({
    name,
    eip: 2537,
    fork,
    alloc: { [CODE]: contract(callWithData(address, gas)) },
    transactions: [tx({ data: data(input), gasLimit: 5_000_000n })],
  });

/** EIP-2537: precompiles for BLS12-381. */
export const bls = [
  ["0x0b", "G1 addition", G1 + G1],
  ["0x0b", "G1 addition of infinity", NO_G1 + G1],
  ["0x0b", "G1 addition off the curve", OFF_CURVE + G1],
  ["0x0b", "G1 addition of a short input", G1],
  ["0x0b", "G1 addition of a number outside the field", FIELD(MODULUS) + FIELD("0") + G1],
  ["0x0b", "G1 addition with a byte in the padding", `01${(G1 + G1).slice(2)}`],
  ["0x0c", "G1 multiplication", G1 + word(5)],
  ["0x0c", "G1 multiplication of three", (G1 + word(5)).repeat(3)],
  ["0x0c", "G1 multiplication of nothing", ""],
  ["0x0c", "G1 multiplication by more than the order", G1 + word(2n ** 256n - 1n)],
  ["0x0c", "G1 multiplication outside the subgroup", OFF_SUBGROUP + word(5)],
  [
    "0x0c",
    "G1 multiplication of 130, beyond the table of discounts",
    (NO_G1 + word(5)).repeat(130),
  ],
  ["0x0b", "G1 addition outside the subgroup", OFF_SUBGROUP + OFF_SUBGROUP],
  ["0x0d", "G2 addition", G2 + G2],
  ["0x0d", "G2 addition of infinity", NO_G2 + NO_G2],
  ["0x0e", "G2 multiplication of two", (G2 + word(2n ** 255n)).repeat(2)],
  ["0x0f", "pairing with infinity is one", NO_G1 + G2],
  ["0x0f", "pairing of generators is not one", G1 + G2],
  ["0x0f", "pairing of a wrong length", G1],
  ["0x0f", "pairing of nothing", ""],
  ["0x0f", "pairing outside the subgroup", OFF_SUBGROUP + G2],
  ["0x0f", "pairing of three", (G1 + G2).repeat(3)],
  ["0x0e", "G2 multiplication of a wrong length", G2],
  ["0x10", "a field element to G1", FIELD("1")],
  ["0x10", "a number outside the field to G1", FIELD(MODULUS)],
  ["0x11", "a field element to G2", FIELD("1") + FIELD("2")],
  ["0x0b", "G1 addition with a gas short", G1 + G1, "610176"],
].map((settings) => precompile(...settings));
