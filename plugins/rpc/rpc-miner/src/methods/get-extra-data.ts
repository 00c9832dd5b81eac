import { method, type Runtime, t } from "@plinth/core";

/** `miner_getExtraData`: the extra data of blocks from this node. */
export const getExtraData = method({
  summary: "Returns the extra data of blocks from this node.",
  result: t.data,
  example: { params: [], result: "0x" },
  handle: (_, runtime: Runtime) => runtime.building.extraData,
});
