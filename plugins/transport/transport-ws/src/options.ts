import { option, optionKinds } from "@plinth/core";
import {
  clientOptions,
  DEFAULT_APIS,
  hostAllowlist,
  listenHosts,
  responseOptions,
  tlsOptions,
} from "@plinth/kit-http";

const needs = "rpcWsEnabled";

/** Prefix of the TLS options. */
export const TLS = { prefix: "rpcWsSsl", clientAuth: "rpcWsSslClientAuthEnabled" } as const;

/** Options of the WebSocket listener. */
export const options = {
  rpcWsEnabled: option.flag({ summary: "Serves JSON-RPC over WebSocket." }),
  rpcWsHost: listenHosts.rpcWsHost,
  rpcWsPort: option.port({
    summary: "Port to listen on; 0 picks a free one.",
    default: 8546,
    needs,
  }),
  rpcWsOnHttpPort: option.flag({
    summary: "Serves WebSockets on the HTTP port as well.",
    needs,
  }),
  rpcWsApi: option.list({
    summary: "Namespaces to offer, in any letter case.",
    of: optionKinds.text(),
    words: true,
    default: DEFAULT_APIS,
    aliases: ["rpcWsApis"],
    needs,
  }),
  rpcWsOrigins: option.list({
    summary:
      "Origins whose pages may connect, as regular expressions; * or all for any, none for none.",
    of: optionKinds.text(),
    needs,
  }),
  rpcWsPingIntervalSeconds: option.integer({
    summary: "Interval of pings; a client that misses two is disconnected.",
    default: 30,
    min: 1,
    max: 3600,
    needs,
  }),
  rpcWsMaxActiveConnections: option.integer({
    summary: "Maximum number of open connections; further ones are closed at once.",
    default: 80,
    min: 1,
    needs,
  }),
  rpcWsMaxFrameSize: option.integer({
    summary: "Maximum size of a message, in bytes; a larger one ends the connection.",
    default: 1_048_576,
    min: 1,
    needs,
  }),
  rpcWsMaxBatchSize: option.integer({
    summary: "Maximum number of requests in one batch; 0 or less for no limit.",
    default: 1024,
    needs,
  }),
  ...tlsOptions(TLS, { needs }),
  hostAllowlist,
  ...clientOptions,
  ...responseOptions,
};
