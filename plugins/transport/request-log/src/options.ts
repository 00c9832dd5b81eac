import { option } from "@plinth/core";

/** Options of the request log. */
export const options = {
  rpcRequestLog: option.oneOf(["off", "slow", "all"], {
    summary: "Calls to log: none, slow ones, or all.",
    default: "off",
  }),
  rpcSlowRequestMs: option.integer({
    summary: "Milliseconds from which a call is slow.",
    default: 1000,
    min: 0,
    max: 3_600_000,
  }),
};
