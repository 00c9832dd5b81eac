import { beaconRoots } from "./beacon-roots.mjs";
import { blobLimits, reservePrices } from "./blob-limits.mjs";
import { gasCaps } from "./gas-caps.mjs";
import { history } from "./history.mjs";
import { leadingZeros } from "./leading-zeros.mjs";
import { bounds, prices } from "./modexp.mjs";
import { p256 } from "./p256.mjs";
import { transactions } from "./transactions.mjs";

const fork = "Osaka";

/** Blocks under the rules of Osaka. */
export const cases = [
  ...bounds,
  ...prices,
  ...gasCaps(fork),
  ...history(fork),
  ...beaconRoots(fork),
  ...transactions(fork),
  ...leadingZeros,
  ...p256,
  ...blobLimits,
  ...reservePrices,
];
