import { aCase, blobs, CODE, contract, storeAll, tx } from "./build.mjs";

const fork = "Osaka";

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
/** EIP-7594 and EIP-7892: how many blobs there may be. */
export const blobLimits = [
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
/** EIP-7918: what blobs cost at least. */
export const reservePrices = [
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
