import { type Call, method } from "@plinth/core";
import { syncState } from "@plinth/kit-rpc";

/** `eth_syncing`: false, or the sync progress; `missingBlocks` counts the old blocks that are still to be added. */
export const syncing = method({
  summary: "Returns whether the node is syncing, and its progress.",
  result: syncState,
  example: { params: [], result: false },
  handle(_params, { sync: { progress, missing }, chain }: Call) {
    if (missing === 0n) return progress;
    const { number } = chain.blocks.head();
    const upToDate = { starting: number, current: number, highest: number, syncing: false };
    return { ...upToDate, ...progress, missing };
  },
});
