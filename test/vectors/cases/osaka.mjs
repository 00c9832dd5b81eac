import { blobLimits, reservePrices } from "./blob-limits.mjs";
import { gasCaps } from "./gas-caps.mjs";
import { leadingZeros } from "./leading-zeros.mjs";
import { bounds, prices } from "./modexp.mjs";
import { p256 } from "./p256.mjs";

/** Blocks under the rules of Osaka. */
export const cases = [
  ...bounds,
  ...prices,
  ...gasCaps,
  ...leadingZeros,
  ...p256,
  ...blobLimits,
  ...reservePrices,
];
