import { method, type Runtime, t } from "@plinth/core";

/** `miner_getMinPriorityFee`: the minimum priority fee of transactions in blocks from this node. */
export const getMinPriorityFee = method({
  summary: "Returns the minimum priority fee of transactions in blocks from this node.",
  result: t.quantity,
  example: { params: [], result: "0x0" },
  handle: (_, runtime: Runtime) => runtime.building.minPriorityFee,
});
