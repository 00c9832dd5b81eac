import { option } from "@plinth/core";

/** Options of the stream of changes. */
export const options = {
  changesEnabled: option.flag({
    summary:
      "Keeps a stream of the blocks that join and leave the canonical chain, for readers that must miss none: over HTTP, WebSocket and IPC.",
  }),
  changesRetained: option.integer({
    summary:
      "Number of records of the stream that are kept, one for each block that joins or leaves the chain; what these blocks changed is kept as long.",
    default: 100_000,
    min: 1,
    max: 10_000_000,
    needs: "changesEnabled",
  }),
};
