import { type Call, method, t } from "@plinth/core";
import { findKeptBlock } from "@plinth/kit-rpc";

/**
 * `eth_getBlockTransactionCountByNumber`: number of transactions of a block, null if there is none.
 */
export const getBlockTransactionCountByNumber = method({
  summary: "Returns the number of transactions of a block, by its number or tag.",
  params: { block: t.blockNumber },
  result: t.optional(t.quantity),
  example: { params: ["latest"], result: "0x2" },
  handle({ block: id }, call: Call) {
    const block = findKeptBlock(call, id);
    return block === undefined ? undefined : BigInt(block.body.transactions.length);
  },
});
