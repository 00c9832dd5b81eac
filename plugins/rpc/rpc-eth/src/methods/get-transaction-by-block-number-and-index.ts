import { type Call, method, t } from "@plinth/core";
import { findKeptBlock, shapes } from "@plinth/kit-rpc";
import { index } from "../params.js";
import { transactionAt } from "../transaction-at.js";

/** `eth_getTransactionByBlockNumberAndIndex`: a transaction of a block, null if there is none. */
export const getTransactionByBlockNumberAndIndex = method({
  summary: "Returns a transaction of a block, by the number or tag of the block.",
  params: {
    block: t.blockNumber,
    index: t.withText(index, "Invalid transaction index params"),
  },
  result: shapes.transaction,
  example: { params: ["latest", "0x0"], result: null },
  handle: ({ block, index }, call: Call) =>
    transactionAt(findKeptBlock(call, block), index, call.compatibility),
});
