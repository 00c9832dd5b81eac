import { type Call, method, t } from "@plinth/core";
import { findBlock } from "@plinth/kit-rpc";

/** `eth_getBlockTransactionCountByNumber`: how many transactions a block has, null when there is none. */
export const getBlockTransactionCountByNumber = method({
  summary: "Returns how many transactions a block has, by its number or tag.",
  params: { block: t.blockNumber },
  result: t.optional(t.quantity),
  example: { params: ["latest"], result: "0x2" },
  handle({ block: id }, call: Call) {
    const block = findBlock(call.chain.blocks, id);
    return block === undefined ? undefined : BigInt(block.body.transactions.length);
  },
});
