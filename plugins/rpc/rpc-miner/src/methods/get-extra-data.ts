import { method, type Runtime, t } from "@plinth/core";

/** `miner_getExtraData`: what stands in the blocks of this node. */
export const getExtraData = method({
  summary: "Returns what stands in the blocks of this node.",
  result: t.data,
  example: { params: [], result: "0x" },
  handle: (_, runtime: Runtime) => runtime.building.extraData,
});
