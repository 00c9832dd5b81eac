import { option } from "@plinth/core";

/** The options of how a node gets its chain. */
export const options = {
  syncMode: option.oneOf(["FULL", "FAST", "SNAP", "CHECKPOINT"], {
    summary:
      "Sync mode: with SNAP and CHECKPOINT an empty node reads the state of a recent block from its peers, otherwise every block is executed.",
    default: "FULL",
    noEffect: (mode) =>
      mode === "FAST" ? "every block is executed, as with FULL; use SNAP" : undefined,
  }),
  syncMinPeers: option.integer({
    summary:
      "Number of peers from which a node with --sync-mode=SNAP or CHECKPOINT chooses the block to join at; a full synchronization starts with one peer.",
    default: 1,
    min: 1,
    aliases: ["fastSyncMinPeers"],
  }),
};
