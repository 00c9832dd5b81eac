import { type Call, method, t } from "@plinth/core";
import { blocksOf } from "../blocks.js";
import { blockHash } from "../params.js";

/** `eth_getBlockTransactionCountByHash`: how many transactions a block has, null when there is none. */
export const getBlockTransactionCountByHash = method({
  summary: "Returns how many transactions a block has, by its hash.",
  params: { hash: blockHash },
  result: t.optional(t.quantity),
  handle({ hash }, call: Call) {
    const block = blocksOf(call).findBlock(hash);
    return block === undefined ? undefined : BigInt(block.body.transactions.length);
  },
});
