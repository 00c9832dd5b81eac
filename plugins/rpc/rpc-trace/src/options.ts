import { option } from "@plinth/core";

/** Options of the namespace. */
export const options = {
  rpcMaxTraceFilterRange: option.integer({
    summary:
      "How far apart the first and the last block of a search for traces may be; 0 for no limit.",
    default: 1000,
    min: 0,
  }),
};
