import { method, type Runtime, t } from "@plinth/core";

/** `miner_getMinGasPrice`: the least gas price of transactions in the blocks of this node. */
export const getMinGasPrice = method({
  summary: "Returns the least gas price that this node puts into blocks.",
  result: t.quantity,
  example: { params: [], result: "0x3e8" },
  handle: (_, runtime: Runtime) => runtime.building.minGasPrice,
});
