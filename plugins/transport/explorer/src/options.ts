import { option } from "@plinth/core";

const needs = "explorerEnabled";

/** Options of the explorer. */
export const options = {
  explorerEnabled: option.flag({
    summary: "Serves a block explorer below /explorer, on the HTTP port or on a separate one.",
  }),
  explorerHost: option.host({
    summary: "Address to listen on, with --explorer-port.",
    default: "127.0.0.1",
    needs,
  }),
  explorerPort: option.port({
    summary:
      "Port of the explorer; 0 picks a free one. Without it the explorer is on the HTTP port.",
    needs,
  }),
};
