import { type Call, method, t } from "@plinth/core";
import { findKeptBlock } from "@plinth/kit-rpc";

/** `eth_getUncleCountByBlockNumber`: number of uncles of a block, null if there is none. */
export const getUncleCountByBlockNumber = method({
  summary: "Returns the number of uncles of a block, by its number or tag.",
  params: { block: t.blockNumber },
  result: t.optional(t.quantity),
  example: { params: ["latest"], result: "0x0" },
  handle({ block: id }, call: Call) {
    const block = findKeptBlock(call, id);
    return block === undefined ? undefined : BigInt(block.body.uncles.length);
  },
});
