import { type OptionValues, option, optionKinds } from "@plinth/core";
import type { ResponseGuardSettings } from "./bodies/response-guard.js";

/** The default namespaces of a listener. */
export const DEFAULT_APIS: readonly string[] = ["ETH", "NET", "WEB3"];

/** Shared by every HTTP listener: the host names clients may use. */
export const hostAllowlist = option.list({
  summary: "Host names that clients may use; * or all for any, none for none.",
  of: optionKinds.text(),
  default: ["localhost", "127.0.0.1"],
  aliases: ["hostWhitelist"],
});

/** Shared with plugins whose methods are not for other machines: the address of each listener. */
export const listenHosts = {
  rpcHttpHost: option.host({
    summary: "Address to listen on.",
    default: "127.0.0.1",
    needs: "rpcHttpEnabled",
  }),
  rpcWsHost: option.host({
    summary: "Address to listen on.",
    default: "127.0.0.1",
    needs: "rpcWsEnabled",
  }),
};

const MIN_SIZE = 65_536;

/** Shared by every listener: its response limits. */
export const responseOptions = {
  rpcMaxResponseSize: option.integer({
    summary:
      "Maximum size of a response that is not streamed, in bytes; a larger one becomes an error.",
    default: 67_108_864,
    min: MIN_SIZE,
  }),
  rpcMaxBatchResponseSize: option.integer({
    summary:
      "Maximum size of the responses of a batch, in bytes; the remaining members become errors.",
    default: 100_000_000,
    min: MIN_SIZE,
  }),
  rpcMaxConnectionBufferSize: option.integer({
    summary: "Maximum bytes of unread responses of one connection in memory.",
    default: 67_108_864,
    min: MIN_SIZE,
  }),
  rpcMaxTotalBufferSize: option.integer({
    summary: "Maximum bytes of unread responses of all connections of a listener in memory.",
    default: 268_435_456,
    min: MIN_SIZE,
  }),
  rpcWriteTimeoutSeconds: option.integer({
    summary: "A client that reads nothing of a response for this long is disconnected.",
    default: 30,
    min: 1,
    max: 3600,
  }),
};

/** The configured limits of a listener. */
export function readResponseLimits(
  config: OptionValues<typeof responseOptions>,
): ResponseGuardSettings {
  return {
    limits: {
      response: config.rpcMaxResponseSize,
      batch: config.rpcMaxBatchResponseSize,
      connection: config.rpcMaxConnectionBufferSize,
      total: config.rpcMaxTotalBufferSize,
    },
    writeTimeoutMs: config.rpcWriteTimeoutSeconds * 1000,
  };
}
