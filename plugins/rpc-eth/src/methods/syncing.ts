import { method, t } from "@plinth/core";

/** `eth_syncing`: false, since a node without peers has nobody to catch up with. */
export const syncing = method({
  summary: "Tells whether the node is catching up with others.",
  result: t.boolean,
  example: { params: [], result: false },
  handle: () => false,
});
