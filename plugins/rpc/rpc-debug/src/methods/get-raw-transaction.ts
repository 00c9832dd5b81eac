import { type Call, method, t, toHex } from "@plinth/core";
import { findTransaction, transactionHash } from "@plinth/kit-trace";
import { rawItem } from "../raw-item.js";

/** `debug_getRawTransaction`: a mined transaction as signed, null if there is none. */
export const getRawTransaction = method({
  summary: "Returns a mined transaction in its binary form.",
  params: { hash: transactionHash },
  result: t.json,
  example: { params: [`0x${"ab".repeat(32)}`], result: "0x02c0" },
  handle({ hash }, call: Call) {
    const found = findTransaction(call.chain.blocks, hash);
    const transaction = found?.block.body.transactions[found.index];
    if (transaction === undefined) return null;
    return toHex(rawItem(transaction.raw, transaction, call.compatibility));
  },
});
