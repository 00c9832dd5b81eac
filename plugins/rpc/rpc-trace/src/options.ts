import { option } from "@plinth/core";

/** Options of the namespace. */
export const options = {
  rpcMaxTraceFilterRange: option.integer({
    summary:
      "Maximum distance between the first and the last block of a trace search; 0 for no limit.",
    default: 1000,
    min: 0,
  }),
};
