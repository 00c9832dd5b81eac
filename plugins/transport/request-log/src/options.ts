import { option } from "@plinth/core";

/** Options of the log of requests. */
export const options = {
  rpcRequestLog: option.oneOf(["off", "slow", "all"], {
    summary: "Calls that get a line in the log: none, those that take long, or all.",
    default: "off",
  }),
  rpcSlowRequestMs: option.integer({
    summary: "Milliseconds from which a call takes long.",
    default: 1000,
    min: 0,
    max: 3_600_000,
  }),
};
