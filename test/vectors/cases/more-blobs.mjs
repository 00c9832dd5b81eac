import { aCase, blobs, CODE, contract, storeAll, tx } from "./build.mjs";

const fork = "Prague";

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
/** EIP-7691: more blobs. */
export const moreBlobs = [
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
