import {
  aCase,
  CODE,
  callWithData,
  contract,
  data,
  hashOf,
  storeAll,
  systemContract,
  tx,
  word,
} from "./build.mjs";
import { SYSTEM_CONTRACTS } from "./system-contracts.mjs";

const HISTORY = "0x0000f90827f1c53a10cb7a02335b175320002935";
const NUMBER = 10_000;
const HISTORY_CODE = SYSTEM_CONTRACTS[HISTORY].code.slice(2);
const kept = (number) => ({ [word(number % 8191)]: hashOf(number) });
const readHistory = (fork, name, input, storage) =>
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

/** EIP-2935: hashes of blocks in the state, under a fork that has them. */
export const history = (fork) => [
  readHistory(fork, "the parent, which was just written", word(NUMBER - 1)),
  readHistory(fork, "the oldest of the window", word(NUMBER - 8191), kept(NUMBER - 8191)),
  readHistory(fork, "one before the window", word(NUMBER - 8192), kept(NUMBER - 8192)),
  readHistory(fork, "the block itself", word(NUMBER)),
  readHistory(fork, "a number beyond 64 bits", word(2n ** 64n)),
  readHistory(fork, "an input of 31 bytes", word(NUMBER - 1).slice(2)),
  readHistory(fork, "an input of 33 bytes", `${word(NUMBER - 1)}00`),
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
    name: "the first block of a chain",
    eip: 2935,
    fork,
    env: { currentNumber: "0x1", blockHashes: { 0: hashOf(5) } },
    alloc: { [CODE]: contract(callWithData(HISTORY)) },
    transactions: [tx({ data: data(word(0)) })],
  }),
  ...systemContract({ eip: 2935, fork, address: HISTORY }),
];

/** EIP-2935: the contract is an ordinary one before its fork. */
export const historyBefore = (fork) => [
  readHistory(fork, "nothing is written before Prague", word(NUMBER - 1)),
];
