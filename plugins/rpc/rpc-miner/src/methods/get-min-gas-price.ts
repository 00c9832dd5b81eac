import { method, type Runtime, t } from "@plinth/core";

/** `miner_getMinGasPrice`: the minimum gas price of transactions in blocks from this node. */
export const getMinGasPrice = method({
  summary: "Returns the minimum gas price of transactions in blocks from this node.",
  result: t.quantity,
  example: { params: [], result: "0x3e8" },
  handle: (_, runtime: Runtime) => runtime.building.minGasPrice,
});
