import { type OptionValues, option, optionKinds } from "@plinth/core";
import type { ResponseGuardSettings } from "./bodies/response-guard.js";

/** The namespaces a listener offers when the operator names none. */
export const DEFAULT_APIS: readonly string[] = ["ETH", "NET", "WEB3"];

/** Shared by every HTTP listener: which names clients may reach it by. */
export const hostAllowlist = option.list({
  summary: "Host names that clients may use; * or all for any, none for none.",
  of: optionKinds.text(),
  default: ["localhost", "127.0.0.1"],
  aliases: ["hostWhitelist"],
});

/** Shared with plugins whose methods are not for other machines: where each listener listens. */
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

/** Shared by every listener: how much it sends, and to whom. */
export const responseOptions = {
  rpcMaxResponseSize: option.integer({
    summary: "Largest response that is not streamed, in bytes; a larger one is an error.",
    default: 67_108_864,
    min: MIN_SIZE,
  }),
  rpcMaxBatchResponseSize: option.integer({
    summary:
      "Size of the responses of one batch, in bytes, above which its other members are errors.",
    default: 100_000_000,
    min: MIN_SIZE,
  }),
  rpcMaxConnectionBufferSize: option.integer({
    summary: "Most bytes of responses that one connection may leave unread in memory.",
    default: 67_108_864,
    min: MIN_SIZE,
  }),
  rpcMaxTotalBufferSize: option.integer({
    summary:
      "Most bytes of responses that all connections of a listener may leave unread in memory.",
    default: 268_435_456,
    min: MIN_SIZE,
  }),
  rpcWriteTimeoutSeconds: option.integer({
    summary: "A client that reads nothing of a response for so long is disconnected.",
    default: 30,
    min: 1,
    max: 3600,
  }),
};

/** The limits of a listener as the operator set them. */
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
