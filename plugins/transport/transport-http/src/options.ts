import { option, optionKinds } from "@plinth/core";
import {
  clientOptions,
  DEFAULT_APIS,
  hostAllowlist,
  listenHosts,
  responseOptions,
  tlsOptions,
} from "@plinth/kit-http";

const needs = "rpcHttpEnabled";
/** The longest delay of a Node timer. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** Prefix of the TLS options. */
export const TLS = { prefix: "rpcHttpTls", clientAuth: "rpcHttpTlsClientAuthEnabled" } as const;

/** Options of the HTTP listener. */
export const options = {
  rpcHttpEnabled: option.flag({ summary: "Serves JSON-RPC over HTTP." }),
  rpcHttpHost: listenHosts.rpcHttpHost,
  rpcHttpPort: option.port({
    summary: "Port to listen on; 0 picks a free one.",
    default: 8545,
    needs,
  }),
  rpcHttpApi: option.list({
    summary: "Namespaces to offer, in any letter case.",
    of: optionKinds.text(),
    words: true,
    default: DEFAULT_APIS,
    aliases: ["rpcHttpApis"],
    needs,
  }),
  rpcHttpCorsOrigins: option.list({
    summary:
      "Origins whose pages may call, as regular expressions; * or all for any, none for none.",
    of: optionKinds.text(),
    needs,
  }),
  rpcHttpMaxActiveConnections: option.integer({
    summary: "Maximum number of open connections; further ones are closed at once.",
    default: 80,
    min: 1,
    needs,
  }),
  rpcHttpMaxBatchSize: option.integer({
    summary: "Maximum number of requests in one batch; 0 or less for no limit.",
    default: 1024,
    needs,
  }),
  rpcHttpMaxRequestContentLength: option.integer({
    summary: "Maximum size of a request body, in bytes.",
    default: 5_242_880,
    min: 1,
    needs,
  }),
  jsonPrettyPrintEnabled: option.flag({
    summary: "Indents responses.",
    needs,
  }),
  XhttpTimeoutSeconds: option.integer({
    summary: "Time limit of one request.",
    default: 300,
    min: 1,
    max: MAX_TIMEOUT_SECONDS,
    experimental: true,
    needs,
  }),
  ...tlsOptions(TLS, {
    needs,
    aliases: { Protocols: ["rpcHttpTlsProtocol"], CipherSuites: ["rpcHttpTlsCipherSuite"] },
  }),
  hostAllowlist,
  ...clientOptions,
  ...responseOptions,
};
