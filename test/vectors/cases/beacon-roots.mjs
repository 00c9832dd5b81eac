import { aCase, CODE, callWithData, contract, data, systemContract, tx, word } from "./build.mjs";
import { SYSTEM_CONTRACTS } from "./system-contracts.mjs";

const eip = 4788;
const ROOTS = "0x000f3df6d732807ef1319fb7b8bb8522d0beac02";
const ROOTS_CODE = SYSTEM_CONTRACTS[ROOTS].code.slice(2);
const RING = 8191;
const NOW = 1000;

/** A root that was written at a time, as the contract stores it. */
const kept = (time) => ({
  [word(time % RING)]: word(time),
  [word((time % RING) + RING)]: word(time + 1),
});
const readRoot = (fork, { name, input, storage = {}, env = {} }) =>
  aCase({
    name,
    eip,
    fork,
    env,
    alloc: { [CODE]: contract(callWithData(ROOTS)), [ROOTS]: contract(ROOTS_CODE, storage) },
    transactions: [tx({ data: data(input) })],
  });

/**
 * The contract has other code, which fails. geth has no result for that from the contract of
 * EIP-2935.
 */
const failing = (fork, name, code) =>
  aCase({ name, eip, fork, alloc: { [ROOTS]: contract(code) }, transactions: [tx()] });

/** EIP-4788: roots of the beacon chain in the state. */
export const beaconRoots = (fork) => [
  readRoot(fork, { name: "the root of this block", input: word(NOW) }),
  readRoot(fork, { name: "a root of before", input: word(NOW - 12), storage: kept(NOW - 12) }),
  readRoot(fork, { name: "a time without a root", input: word(NOW - 1) }),
  readRoot(fork, { name: "a time of zero", input: word(0) }),
  readRoot(fork, { name: "a time beyond 64 bits", input: word(2n ** 64n + BigInt(NOW)) }),
  readRoot(fork, { name: "an input of 31 bytes", input: word(NOW).slice(2) }),
  readRoot(fork, { name: "an input of 33 bytes", input: `${word(NOW)}00` }),
  readRoot(fork, {
    name: "a root that is written over",
    input: word(NOW),
    storage: kept(NOW),
    env: { currentTimestamp: `0x${word(NOW + RING, 8)}` },
  }),
  failing(fork, "a contract that reverts changes nothing", "60015f555f5ffd"),
  failing(fork, "a contract that runs out of gas changes nothing", "60015f555b600456"),
  ...systemContract({ eip, fork, address: ROOTS }),
];
