import { aCase, CODE, contract, storeAll, tx, word } from "./build.mjs";

const fork = "Osaka";

const clz = (name, values, settings = {}) =>
  aCase({
    name,
    eip: 7939,
    fork: settings.fork ?? fork,
    alloc: { [CODE]: contract(storeAll(values.map((value) => `7f${word(value)}1e`))) },
    transactions: [tx(settings)],
  });
/** EIP-7939: the instruction CLZ. */
export const leadingZeros = [
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
