import { option, optionKinds } from "@plinth/core";
import { DEFAULT_APIS, responseOptions } from "@plinth/kit-http";

const needs = "XrpcIpcEnabled";

/** Options of the IPC listener. */
export const options = {
  XrpcIpcEnabled: option.flag({
    summary: "Serves JSON-RPC over a Unix domain socket.",
    experimental: true,
  }),
  XrpcIpcPath: option.path({
    summary: "Path of the socket; by default plinth.ipc in the data folder.",
    experimental: true,
    needs,
  }),
  XrpcIpcApi: option.list({
    summary: "Namespaces to offer, in any letter case.",
    of: optionKinds.text(),
    words: true,
    default: DEFAULT_APIS,
    aliases: ["XrpcIpcApis"],
    experimental: true,
    needs,
  }),
  ...responseOptions,
};
