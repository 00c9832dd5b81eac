import {
  ALICE,
  aCase,
  authorize,
  BOB,
  blobs,
  CAROL,
  CODE,
  callWithData,
  contract,
  DAVE,
  data,
  hashOf,
  KEYS,
  NOBODY,
  OTHER_CODE,
  storeAll,
  tx,
  word,
} from "./build.mjs";
import { SYSTEM_CONTRACTS } from "./system-contracts.mjs";

const fork = "Prague";
const HISTORY = "0x0000f90827f1c53a10cb7a02335b175320002935";
const WITHDRAWALS = "0x00000961ef480eb55e80d19ad83579a64c007002";
const CONSOLIDATIONS = "0x0000bbddc7ce488642fb579f8b00f3a590007251";
const DEPOSITS = "0x00000000219ab540356cbb839cbe05303d7705fa";
const DEPOSIT_TOPIC = "649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5";

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
/** The order of the field, which is no element of it. */
const MODULUS =
  "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";

const precompile = (eip, address, name, input, gas) =>
  aCase({
    name,
    eip,
    fork,
    alloc: { [CODE]: contract(callWithData(address, gas)) },
    transactions: [tx({ data: data(input), gasLimit: 5_000_000n })],
  });

const bls = [
  ["0x0b", "G1 addition", G1 + G1],
  ["0x0b", "G1 addition of infinity", NO_G1 + G1],
  ["0x0b", "G1 addition off the curve", OFF_CURVE + G1],
  ["0x0b", "G1 addition of a short input", G1],
  ["0x0b", "G1 addition of a number outside the field", FIELD(MODULUS) + FIELD("0") + G1],
  ["0x0b", "G1 addition with a byte in the padding", `01${(G1 + G1).slice(2)}`],
  ["0x0c", "G1 multiplication", G1 + word(5)],
  ["0x0c", "G1 multiplication of three", (G1 + word(5)).repeat(3)],
  ["0x0c", "G1 multiplication of nothing", ""],
  ["0x0d", "G2 addition", G2 + G2],
  ["0x0d", "G2 addition of infinity", NO_G2 + NO_G2],
  ["0x0e", "G2 multiplication of two", (G2 + word(2n ** 255n)).repeat(2)],
  ["0x0f", "pairing with infinity is one", NO_G1 + G2],
  ["0x0f", "pairing of generators is not one", G1 + G2],
  ["0x0f", "pairing of a wrong length", G1],
  ["0x10", "a field element to G1", FIELD("1")],
  ["0x10", "a number outside the field to G1", FIELD(MODULUS)],
  ["0x11", "a field element to G2", FIELD("1") + FIELD("2")],
].map(([address, name, input]) => precompile(2537, address, name, input));
const blsWithoutGas = precompile(2537, "0x0b", "G1 addition with a gas short", G1 + G1, "610176");

const NUMBER = 10_000;
const HISTORY_CODE = SYSTEM_CONTRACTS[HISTORY].code.slice(2);
const kept = (number) => ({ [word(number % 8191)]: hashOf(number) });
const readHistory = (name, input, storage) =>
  aCase({
    name,
    eip: 2935,
    fork,
    alloc: {
      [CODE]: contract(callWithData(HISTORY)),
      ...(storage && { [HISTORY]: { ...contract(HISTORY_CODE), storage } }),
    },
    transactions: [tx({ data: data(input) })],
  });

const history = [
  readHistory("the parent, which was just written", word(NUMBER - 1)),
  readHistory("the oldest of the window", word(NUMBER - 8191), kept(NUMBER - 8191)),
  readHistory("one before the window", word(NUMBER - 8192), kept(NUMBER - 8192)),
  readHistory("the block itself", word(NUMBER)),
  readHistory("a number beyond 64 bits", word(2n ** 64n)),
  readHistory("an input of 31 bytes", word(NUMBER - 1).slice(2)),
  aCase({
    name: "BLOCKHASH within and outside of 256 blocks",
    eip: 2935,
    fork,
    env: {
      blockHashes: { 9999: hashOf(9999), 9744: hashOf(9744) },
    },
    alloc: { [CODE]: contract(storeAll(["61270f40", "61261040", "61260f40", "61271040"])) },
    transactions: [tx()],
  }),
  aCase({
    name: "nothing is written where there is no code",
    eip: 2935,
    fork,
    without: [HISTORY],
    transactions: [tx({ to: NOBODY, value: 1n })],
  }),
];

const layout = [
  [160, 48],
  [256, 32],
  [320, 8],
  [384, 96],
  [512, 8],
];
/** The data of a deposit event. */
function aDeposit(fill) {
  const bytes = Buffer.alloc(576);
  for (const [index, [offset, length]] of layout.entries()) {
    bytes.writeUInt32BE(offset, index * 32 + 28);
    bytes.writeUInt32BE(length, offset + 28);
    bytes.fill(fill + index, offset + 32, offset + 32 + length);
  }
  return bytes.toString("hex");
}
const EMIT_DEPOSIT = `365f5f377f${DEPOSIT_TOPIC}365fa1`;
const deposits = (name, inputs, code = EMIT_DEPOSIT, address = DEPOSITS) =>
  aCase({
    name,
    eip: 6110,
    fork,
    alloc: { [address]: contract(code) },
    transactions: inputs.map((input, nonce) =>
      tx({ to: address, nonce: BigInt(nonce), data: data(input) }),
    ),
  });
const SHORT_DEPOSIT = aDeposit(1).slice(0, -64);
const depositCases = [
  deposits("one deposit", [aDeposit(1)]),
  deposits("three deposits in their order", [aDeposit(1), aDeposit(20), aDeposit(40)]),
  deposits("an event of another contract", [aDeposit(1)], EMIT_DEPOSIT, OTHER_CODE),
  deposits(
    "another event of the contract",
    [aDeposit(1)],
    EMIT_DEPOSIT.replace(DEPOSIT_TOPIC, word(1)),
  ),
  deposits("an event without topics", [aDeposit(1)], "365f5f37365fa0"),
  deposits("a deposit that is too short", [SHORT_DEPOSIT]),
  deposits("a deposit with a wrong offset", [aDeposit(1).replace(word(160), word(161))]),
];

const PUBKEY = "ab".repeat(48);
const withdrawalRequest = (amount) => `${PUBKEY}${word(amount, 8)}`;
const requests = (eip, name, { to, inputs, value = 1n, alloc, without }) =>
  aCase({
    name,
    eip,
    fork,
    alloc,
    without,
    transactions: inputs.map((input, nonce) =>
      tx({ to, nonce: BigInt(nonce), value, data: data(input) }),
    ),
  });
const many = (count, input) => Array.from({ length: count }, (_, index) => input(index));
const FAILING = { ...contract("5f5ffd") };
const withdrawals = [
  ["a request", { inputs: [withdrawalRequest(1)] }],
  ["a request without its fee", { inputs: [withdrawalRequest(1)], value: 0n }],
  ["a request that is too short", { inputs: [PUBKEY] }],
  ["more requests than a block hands over", { inputs: many(17, withdrawalRequest) }],
  ["no contract", { inputs: [withdrawalRequest(1)], without: [WITHDRAWALS] }],
  ["a contract that fails", { inputs: [], alloc: { [WITHDRAWALS]: FAILING } }],
  [
    "a contract that answers one byte",
    { inputs: [], alloc: { [WITHDRAWALS]: contract("60015ff3") } },
  ],
].map(([name, settings]) => requests(7002, name, { to: WITHDRAWALS, ...settings }));

const consolidation = (byte) => `${PUBKEY}${word(byte, 1).repeat(48)}`;
const consolidations = [
  ["a request", { inputs: [consolidation(1)] }],
  ["more requests than a block hands over", { inputs: many(3, consolidation) }],
  ["a request without its fee", { inputs: [consolidation(1)], value: 0n }],
  ["no contract", { inputs: [], without: [CONSOLIDATIONS] }],
  [
    "a contract that runs out of gas",
    { inputs: [], alloc: { [CONSOLIDATIONS]: contract("5b5f56") } },
  ],
].map(([name, settings]) => requests(7251, name, { to: CONSOLIDATIONS, ...settings }));

const allRequests = [
  aCase({
    name: "requests of all three types in their order",
    eip: 7685,
    fork,
    alloc: { [DEPOSITS]: contract(EMIT_DEPOSIT) },
    transactions: [
      tx({ to: CONSOLIDATIONS, nonce: 0n, value: 1n, data: data(consolidation(9)) }),
      tx({ to: WITHDRAWALS, nonce: 1n, value: 1n, data: data(withdrawalRequest(9)) }),
      tx({ to: DEPOSITS, nonce: 2n, data: data(aDeposit(1)) }),
    ],
  }),
  aCase({ name: "no requests", eip: 7685, fork, transactions: [] }),
  aCase({
    name: "a request of a transaction that reverts",
    eip: 7685,
    fork,
    alloc: { [DEPOSITS]: contract(`${EMIT_DEPOSIT}5f5ffd`) },
    transactions: [tx({ to: DEPOSITS, data: data(aDeposit(1)) })],
  }),
];

/** A transaction that runs nothing and has so many bytes of each kind. */
const withBytes = ({ zeros = 0, others = 0, ...fields }) =>
  tx({ to: NOBODY, data: data("00".repeat(zeros) + "ff".repeat(others)), ...fields });
const floor = (name, transactions, alloc = {}) =>
  aCase({ name, eip: 7623, fork, alloc, transactions });
const calldata = [
  floor("the floor is paid for data that nothing reads", [withBytes({ others: 1000 })]),
  floor("zero bytes count a quarter", [withBytes({ zeros: 1000, others: 1 })]),
  floor("exactly the floor as gas limit", [withBytes({ others: 100, gasLimit: 25_000n })]),
  floor("one gas below the floor", [withBytes({ others: 100, gasLimit: 24_999n })]),
  floor(
    "code that costs more than the floor",
    [tx({ data: data("ff".repeat(100)), gasLimit: 200_000n })],
    { [CODE]: contract("6001600255") },
  ),
  floor(
    "a refund does not go below the floor",
    [tx({ data: data("ff".repeat(500)), gasLimit: 200_000n })],
    { [CODE]: contract("5f5f555f600155", { [word(0)]: word(1), [word(1)]: word(1) }) },
  ),
  floor("a creation pays the floor too", [
    tx({ to: undefined, data: data("00".repeat(3000)), gasLimit: 200_000n }),
  ]),
  floor("out of gas above the floor", [tx({ data: data("ff".repeat(10)), gasLimit: 60_000n })], {
    [CODE]: contract("5b5f56"),
  }),
];

const blobCase = (name, counts, env = {}) =>
  aCase({
    name,
    eip: 7691,
    fork,
    env,
    alloc: { [CODE]: contract(storeAll(["4a", "5f49", "600549"])) },
    transactions: counts.map((count, nonce) =>
      tx({ nonce: BigInt(nonce), blobVersionedHashes: blobs(count) }),
    ),
  });
const blobCases = [
  blobCase("nine blobs in a transaction", [9]),
  blobCase("ten blobs are too many", [10, 1]),
  blobCase("nine blobs in two transactions and one too many", [5, 4, 1]),
  blobCase("the price follows the excess", [6], { currentExcessBlobGas: "0x3000000" }),
  blobCase("the excess follows from the parent", [1], {
    currentExcessBlobGas: undefined,
    parentExcessBlobGas: "0x200000",
    parentBlobGasUsed: "0x120000",
    parentBaseFee: "0x7",
    parentTimestamp: "0x3e0",
  }),
];

/** Creates a contract whose code would be 0xef, and keeps the address, which is zero. */
const CREATE_EF = "6760ef5f5360015ff35f52600860185ff05f55";
const STORE = storeAll(["30", "32", "33", "34"]);
const delegation = (name, { authorizations, alloc = {}, ...fields }, more = []) =>
  aCase({
    name,
    eip: 7702,
    fork,
    alloc: { [CODE]: contract(STORE), ...alloc },
    transactions: [tx({ to: BOB, authorizations, ...fields }), ...more],
  });
const designator = (address) => contract(`ef0100${word(address, 20)}`);
const INSPECT = storeAll([
  `73${word(BOB, 20)}3b`,
  `73${word(BOB, 20)}3f`,
  `60205f5f73${word(BOB, 20)}3c5f51`,
  `5f5f5f5f5f73${word(BOB, 20)}5af1`,
]);
const authorizations = [
  delegation("the code runs as the authority", { authorizations: [authorize({})] }),
  delegation("the sender is its own authority", {
    authorizations: [authorize({ key: KEYS[0], nonce: 1n })],
    to: ALICE,
  }),
  delegation("the sender's nonce has moved already", {
    authorizations: [authorize({ key: KEYS[0], nonce: 0n })],
    to: ALICE,
  }),
  delegation("a nonce that is too high", { authorizations: [authorize({ nonce: 1n })] }),
  delegation("the largest nonce", { authorizations: [authorize({ nonce: 2n ** 64n - 1n })] }),
  delegation("any chain", { authorizations: [authorize({ chainId: 0n })] }),
  delegation("another chain", { authorizations: [authorize({ chainId: 2n })] }),
  delegation("a chain id of 256 bits", { authorizations: [authorize({ chainId: 2n ** 255n })] }),
  delegation("a precompile runs as no code", {
    authorizations: [authorize({ address: "0x0000000000000000000000000000000000000004" })],
  }),
  delegation("an account without code", { authorizations: [authorize({ address: NOBODY })] }),
  delegation("itself", { authorizations: [authorize({ address: BOB })] }),
  delegation("a chain of two is followed once", {
    authorizations: [authorize({ address: CAROL })],
    alloc: { [CAROL]: designator(CODE) },
  }),
  delegation("a delegation is cleared", {
    authorizations: [
      authorize({ address: "0x0000000000000000000000000000000000000000", nonce: 1n }),
    ],
    alloc: { [BOB]: { ...designator(CODE), balance: "0xde0b6b3a7640000" } },
  }),
  delegation("a delegation is replaced", {
    authorizations: [authorize({ address: OTHER_CODE, nonce: 1n })],
    alloc: { [BOB]: designator(CODE), [OTHER_CODE]: contract("6007600755") },
  }),
  delegation("an authority with code of its own", {
    authorizations: [authorize({ nonce: 1n })],
    alloc: { [BOB]: contract("6001600155") },
  }),
  delegation("an authority that does not exist yet", {
    authorizations: [authorize({ key: KEYS[3] })],
    to: DAVE,
  }),
  delegation("the last of several of one authority holds", {
    authorizations: [
      authorize({ nonce: 0n }),
      authorize({ address: OTHER_CODE, nonce: 1n }),
      authorize({ address: NOBODY, nonce: 5n }),
    ],
    alloc: { [OTHER_CODE]: contract("6009600955") },
  }),
  delegation("s above half of the order", {
    authorizations: [
      { ...authorize({}), s: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140n },
    ],
  }),
  delegation("a signature that recovers no key", { authorizations: [{ ...authorize({}), r: 0n }] }),
  delegation("a parity of two", { authorizations: [{ ...authorize({}), yParity: 2n }] }),
  delegation("a revert leaves the delegation", {
    authorizations: [authorize({})],
    alloc: { [CODE]: contract("5f5ffd") },
  }),
  delegation("a transaction that cannot pay for its list", {
    authorizations: [authorize({}), authorize({ key: KEYS[2] })],
    gasLimit: 70_000n,
  }),
  delegation("value goes to the authority", { authorizations: [authorize({})], value: 5n }),
  delegation(
    "a delegated account sends, and code reads its designator",
    { authorizations: [authorize({})], to: NOBODY, alloc: { [OTHER_CODE]: contract(INSPECT) } },
    [tx({ key: KEYS[1], nonce: 1n, to: OTHER_CODE })],
  ),
  delegation("a refund for an authority that exists", {
    authorizations: [authorize({}), authorize({ key: KEYS[3] })],
    to: NOBODY,
    gasLimit: 300_000n,
  }),
  delegation("code that creates an account which begins with 0xef", {
    authorizations: [authorize({})],
    alloc: { [CODE]: contract(CREATE_EF) },
  }),
];

export const cases = [
  ...bls,
  blsWithoutGas,
  ...history,
  ...depositCases,
  ...withdrawals,
  ...consolidations,
  ...allRequests,
  ...calldata,
  ...blobCases,
  ...authorizations,
];
