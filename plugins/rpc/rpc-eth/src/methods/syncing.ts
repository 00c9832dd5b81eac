import { type Call, method } from "@plinth/core";
import { syncState } from "@plinth/kit-rpc";

/** `eth_syncing`: false, or how far the node is behind its peers. */
export const syncing = method({
  summary: "Returns whether the node is catching up with its peers, and its progress.",
  result: syncState,
  example: { params: [], result: false },
  handle: (_params, { sync }: Call) => sync.progress,
});
