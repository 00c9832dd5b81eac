import { type Call, method, t } from "@plinth/core";
import { findKeptBlock } from "@plinth/kit-rpc";
import { blockHash } from "../params.js";

/**
 * `eth_getBlockTransactionCountByHash`: number of transactions of a block, null if there is none.
 */
export const getBlockTransactionCountByHash = method({
  summary: "Returns the number of transactions of a block, by its hash.",
  params: { hash: blockHash },
  result: t.optional(t.quantity),
  example: { params: [`0x${"ab".repeat(32)}`], result: "0x2" },
  handle({ hash }, call: Call) {
    const block = findKeptBlock(call, hash);
    return block === undefined ? undefined : BigInt(block.body.transactions.length);
  },
});
