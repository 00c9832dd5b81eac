import {
  ALICE,
  aCase,
  authorize,
  BOB,
  CAROL,
  CODE,
  contract,
  DAVE,
  data,
  KEYS,
  OTHER_CODE,
  storeAll,
  tx,
  word,
  ZERO_ADDRESS,
} from "./build.mjs";

const fork = "Prague";
/** Creates a contract whose code would be 0xef, and stores the address, which is zero. */
const CREATE_EF = "6760ef5f5360015ff35f52600860185ff05f55";
const STORE = storeAll(["30", "32", "33", "34"]);
/** Calls Bob without value; the instruction follows. */
const CALL_BOB = `5f5f5f5f5f73${word(BOB, 20)}5a`;
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
/** EIP-7702: accounts that run the code of others. */
export const delegations = [
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
  delegation("an account without code", { authorizations: [authorize({ address: ZERO_ADDRESS })] }),
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
      authorize({ address: ZERO_ADDRESS, nonce: 5n }),
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
    {
      authorizations: [authorize({})],
      to: ZERO_ADDRESS,
      alloc: { [OTHER_CODE]: contract(INSPECT) },
    },
    [tx({ key: KEYS[1], nonce: 1n, to: OTHER_CODE })],
  ),
  delegation("a refund for an authority that exists", {
    authorizations: [authorize({}), authorize({ key: KEYS[3] })],
    to: ZERO_ADDRESS,
    gasLimit: 300_000n,
  }),
  delegation("code that creates an account which begins with 0xef", {
    authorizations: [authorize({})],
    alloc: { [CODE]: contract(CREATE_EF) },
  }),
  ...["f1", "f2"].map((call) =>
    delegation(`${call === "f1" ? "CALL" : "CALLCODE"} of cold and warm delegations`, {
      authorizations: [authorize({ address: OTHER_CODE })],
      to: CODE,
      alloc: {
        [CODE]: contract(storeAll([CALL_BOB, CALL_BOB].map((code) => `${code}${call}`))),
        [OTHER_CODE]: contract("33600a5500"),
      },
    }),
  ),
  ...["f4", "fa"].map((call) =>
    delegation(`${call === "f4" ? "DELEGATECALL" : "STATICCALL"} of a delegation`, {
      authorizations: [authorize({ address: OTHER_CODE })],
      to: CODE,
      alloc: {
        [CODE]: contract(storeAll([`5f5f5f5f73${word(BOB, 20)}5a${call}`])),
        [OTHER_CODE]: contract("33600a5500"),
      },
    }),
  ),
  delegation("a call of a delegation with too little gas for its target", {
    authorizations: [authorize({ address: OTHER_CODE })],
    to: CODE,
    gasLimit: 48_000n,
    alloc: { [CODE]: contract(`${CALL_BOB}f1`), [OTHER_CODE]: contract("00") },
  }),
  delegation("a delegation to a precompile is called", {
    authorizations: [authorize({ address: "0x0000000000000000000000000000000000000001" })],
    to: CODE,
    alloc: { [CODE]: contract(storeAll([`${CALL_BOB}f1`, "3d"])) },
  }),
  delegation("the target in the access list is warm", {
    authorizations: [authorize({ address: OTHER_CODE })],
    to: CODE,
    accessList: [{ address: OTHER_CODE, storageKeys: [] }],
    alloc: { [CODE]: contract(`${CALL_BOB}f1`), [OTHER_CODE]: contract("00") },
  }),
  delegation("a delegated account creates a contract", {
    authorizations: [authorize({ address: OTHER_CODE })],
    alloc: { [OTHER_CODE]: contract("5f5f5ff05f55") },
  }),
  delegation("a delegated account destroys itself", {
    authorizations: [authorize({ address: OTHER_CODE })],
    alloc: { [OTHER_CODE]: contract(`73${word(ZERO_ADDRESS, 20)}ff`) },
  }),
  delegation("an authority that comes from a delegation at the start sends", {
    authorizations: [authorize({ key: KEYS[0], nonce: 1n })],
    key: KEYS[1],
    nonce: 1n,
    alloc: { [BOB]: { ...designator(CODE), balance: "0xde0b6b3a7640000" } },
  }),
  delegation(
    "an authorization moves the nonce of a sender of the same block",
    { authorizations: [authorize({})], to: ZERO_ADDRESS },
    [tx({ key: KEYS[1], nonce: 0n }), tx({ key: KEYS[1], nonce: 1n })],
  ),
  delegation("a sender with code that is no delegation", {
    authorizations: [authorize({})],
    alloc: { [ALICE]: { ...contract("00"), balance: "0xde0b6b3a7640000", nonce: "0x0" } },
  }),
  delegation("code of 23 bytes that only begins like a delegation", {
    authorizations: [authorize({ nonce: 1n })],
    alloc: { [BOB]: contract(`ef0101${word(CODE, 20)}`) },
  }),
  delegation("the floor of EIP-7623 beside authorizations", {
    authorizations: [authorize({})],
    to: ZERO_ADDRESS,
    data: data("ff".repeat(2000)),
  }),
  delegation("refunds of many authorities are capped", {
    authorizations: [1n, 2n, 3n, 4n, 5n].map((nonce) => authorize({ key: KEYS[0], nonce })),
    to: ZERO_ADDRESS,
  }),
  delegation("an authority with storage", {
    authorizations: [authorize({})],
    alloc: {
      [BOB]: { balance: "0x5", nonce: "0x0", code: "0x", storage: { [word(7)]: word(7) } },
    },
  }),
];
