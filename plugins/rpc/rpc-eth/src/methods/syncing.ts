import { type Call, method } from "@plinth/core";
import { syncState } from "@plinth/kit-rpc";

/** `eth_syncing`: false, or the sync progress. */
export const syncing = method({
  summary: "Returns whether the node is syncing, and its progress.",
  result: syncState,
  example: { params: [], result: false },
  handle: (_params, { sync }: Call) => sync.progress,
});
