import { type Call, method } from "@plinth/core";
import { syncState } from "@plinth/kit-rpc";

/** `eth_syncing`: false, or how far the node is behind its peers. */
export const syncing = method({
  summary: "Tells whether the node is catching up with others, and how far it is.",
  result: syncState,
  example: { params: [], result: false },
  handle: (_params, { sync }: Call) => sync.progress,
});
