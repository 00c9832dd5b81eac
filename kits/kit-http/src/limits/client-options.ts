import { option, optionKinds } from "@plinth/core";

/** Shared by every listener: how much one client may do, and how clients are distinguished. */
export const clientOptions = {
  rpcClientRateLimit: option.integer({
    summary:
      "Cost of the calls that one client may make each second: 1 for most, 5 for simulated calls, 20 for traces; 0 for no limit.",
    default: 0,
    min: 0,
    max: 1_000_000,
  }),
  rpcClientRateBurst: option.integer({
    summary:
      "Cost of the calls that a client may make at once after a pause; 0 for ten times the limit.",
    default: 0,
    min: 0,
    max: 100_000_000,
  }),
  rpcClientMaxHeavyCalls: option.integer({
    summary: "Most traces and other long calls of one client at a time; 0 for no limit.",
    default: 0,
    min: 0,
    max: 1_000_000,
  }),
  rpcClientMaxConnections: option.integer({
    summary: "Most connections from one address to a listener; 0 for no limit.",
    default: 0,
    min: 0,
    max: 1_000_000,
  }),
  rpcTrustedProxies: option.list({
    summary:
      "Addresses and networks of proxies whose X-Forwarded-For names the client, such as 10.0.0.0/8.",
    of: optionKinds.text(),
  }),
};
