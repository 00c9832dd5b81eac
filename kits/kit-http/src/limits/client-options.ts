import { option, optionKinds } from "@plinth/core";

/** Shared by every listener: the limits of one client, and how clients are distinguished. */
export const clientOptions = {
  rpcClientRateLimit: option.integer({
    summary:
      "Maximum cost of one client's calls per second: 1 for most, 5 for simulated calls, 20 for traces; 0 for no limit.",
    default: 0,
    min: 0,
    max: 1_000_000,
  }),
  rpcClientRateBurst: option.integer({
    summary: "Maximum cost of a client's calls at once after a pause; 0 for ten times the limit.",
    default: 0,
    min: 0,
    max: 100_000_000,
  }),
  rpcClientMaxHeavyCalls: option.integer({
    summary:
      "Maximum number of concurrent traces and other long calls of one client; 0 for no limit.",
    default: 0,
    min: 0,
    max: 1_000_000,
  }),
  rpcClientMaxConnections: option.integer({
    summary: "Maximum number of connections from one address to a listener; 0 for no limit.",
    default: 0,
    min: 0,
    max: 1_000_000,
  }),
  rpcTrustedProxies: option.list({
    summary:
      "Addresses and networks of proxies whose X-Forwarded-For header is trusted, such as 10.0.0.0/8.",
    of: optionKinds.text(),
  }),
};
