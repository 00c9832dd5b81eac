import { type Call, method, t } from "@plinth/core";

/** `eth_blockNumber`: the number of the head block. */
export const blockNumber = method({
  summary: "Returns the number of the head block.",
  result: t.quantity,
  example: { params: [], result: "0x10" },
  handle: (_, call: Call) => call.chain.blocks.head().number,
});
