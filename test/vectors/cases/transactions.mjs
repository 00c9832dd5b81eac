import { contractAddress } from "@plinth/core/blocks";
import {
  ALICE,
  aCase,
  CODE,
  contract,
  data,
  gasOf,
  KEYS,
  tx,
  word,
  ZERO_ADDRESS,
} from "./build.mjs";

const ROOTS = "0x000f3df6d732807ef1319fb7b8bb8522d0beac02";
/** Adds one to the transient slot 5, and stores the sum in the slot given by the data. */
const COUNT = "60055c6001018060055d5f3555";
/** The same, but it is aborted after that if the data is zero. */
const COUNT_UNLESS_ZERO = `${COUNT}5f35601357fe5b`;
/** Stores the costs of BALANCE and SLOAD in the slot given by the data and in the next one. */
const MEASURE = `${gasOf(`73${word(ZERO_ADDRESS, 20)}3150`)}5f3555${gasOf("60ff5450")}60015f350155`;
/** Puts the data into slot 0. */
const STORE = "5f355f55";
/** Creates a contract that destroys itself when it is called. */
const CREATE_MORTAL = "6133ff5f526002601ef3";

const send = (nonce, input, fields = {}) =>
  tx({ nonce: BigInt(nonce), data: data(word(input)), ...fields });

/** What lasts for one transaction and is gone in the next of the same block. */
export const transactions = (fork) => [
  aCase({
    name: "transient storage is empty in every transaction",
    eip: 1153,
    fork,
    alloc: { [CODE]: contract(COUNT) },
    transactions: [send(0, 1), send(1, 2), send(0, 3, { key: KEYS[1] })],
  }),
  aCase({
    name: "transient storage is empty after a transaction that failed",
    eip: 1153,
    fork,
    alloc: { [CODE]: contract(COUNT_UNLESS_ZERO) },
    transactions: [send(0, 0), send(1, 1)],
  }),
  aCase({
    name: "transient storage is empty after the calls of the protocol",
    eip: 1153,
    fork,
    alloc: { [ROOTS]: contract(COUNT) },
    transactions: [send(0, 1, { to: ROOTS }), send(1, 2, { to: ROOTS })],
  }),
  aCase({
    name: "accounts and slots are cold in every transaction",
    eip: 2929,
    fork,
    alloc: { [CODE]: contract(MEASURE) },
    transactions: [send(0, 16), send(1, 32)],
  }),
  aCase({
    name: "refunds look at the value before the transaction",
    eip: 3529,
    fork,
    alloc: { [CODE]: contract(STORE) },
    transactions: [send(0, 5), send(1, 0), send(2, 6)],
  }),
  aCase({
    name: "a contract of the transaction before does not vanish",
    eip: 6780,
    fork,
    transactions: [
      tx({ to: undefined, data: data(CREATE_MORTAL), value: 1n }),
      tx({ to: contractAddress({ sender: ALICE, nonce: 0n }), nonce: 1n }),
    ],
  }),
];
