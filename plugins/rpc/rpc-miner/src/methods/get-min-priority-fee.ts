import { method, type Runtime, t } from "@plinth/core";

/** `miner_getMinPriorityFee`: the least priority fee of transactions in the blocks of this node. */
export const getMinPriorityFee = method({
  summary: "Returns the least priority fee that this node puts into blocks.",
  result: t.quantity,
  example: { params: [], result: "0x0" },
  handle: (_, runtime: Runtime) => runtime.building.minPriorityFee,
});
