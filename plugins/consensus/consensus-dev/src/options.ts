import { option } from "@plinth/core";
import { HARDFORKS } from "./hardfork.js";

/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

/** Options of a development chain. */
export const options = {
  devPeriodSeconds: option.integer({
    summary: "Block interval in seconds; by default blocks are produced as transactions arrive.",
    min: 1,
  }),
  devTimestamp: option.integer({
    summary:
      "Time of block 0, in seconds since 1970; the chain's clock continues from its last block.",
    min: 1,
    max: MAX_SECONDS,
  }),
  devBaseFee: option.wei({ summary: "Base fee of blocks 0 and 1 of a new chain, in wei." }),
  hardfork: option.oneOf(HARDFORKS, {
    summary:
      "Initial hardfork of a development chain; by default the newest, or that of its genesis file.",
  }),
};
