import { type Call, method, t } from "@plinth/core";
import { findKeptBlock, shapes } from "@plinth/kit-rpc";
import { index } from "../params.js";
import { transactionAt } from "../transaction-at.js";

/** `eth_getTransactionByBlockHashAndIndex`: a transaction of a block, null if there is none. */
export const getTransactionByBlockHashAndIndex = method({
  summary: "Returns a transaction of a block, by the hash of the block.",
  params: { hash: t.hash, index: t.withText(index, "Invalid transaction id params") },
  result: shapes.transaction,
  example: { params: [`0x${"ab".repeat(32)}`, "0x0"], result: null },
  handle: ({ hash, index }, call: Call) =>
    transactionAt(findKeptBlock(call, hash), index, call.compatibility),
});
