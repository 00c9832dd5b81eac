import { aCase, CODE, contract, data, tx, word, ZERO_ADDRESS } from "./build.mjs";

const fork = "Prague";

/** A transaction that runs nothing and has this many bytes of each kind. */
const withBytes = ({ zeros = 0, others = 0, ...fields }) =>
  tx({ to: ZERO_ADDRESS, data: data("00".repeat(zeros) + "ff".repeat(others)), ...fields });
const floor = (name, transactions, alloc = {}) =>
  aCase({ name, eip: 7623, fork, alloc, transactions });
/** EIP-7623: the floor price of calldata. */
export const calldata = [
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
  floor("an access list is no part of the floor", [
    withBytes({
      others: 400,
      accessList: [{ address: ZERO_ADDRESS, storageKeys: [`0x${word(1)}`, `0x${word(2)}`] }],
    }),
  ]),
  floor("a creation whose code reverts", [
    tx({ to: undefined, data: data(`5f5ffd${"ff".repeat(2000)}`), gasLimit: 200_000n }),
  ]),
  floor("out of gas above the floor", [tx({ data: data("ff".repeat(10)), gasLimit: 60_000n })], {
    [CODE]: contract("5b5f56"),
  }),
];
