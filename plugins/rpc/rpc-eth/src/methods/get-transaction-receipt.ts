import { type Call, method, t } from "@plinth/core";
import { receiptObject, shapes } from "@plinth/kit-rpc";
import type { RevertReasons } from "../revert-reasons.js";

/** `eth_getTransactionReceipt`: the receipt of a mined transaction, null while it is pending. */
export const getTransactionReceipt = (reasons: Pick<RevertReasons, "find">) =>
  method({
    summary: "Returns the receipt of a transaction.",
    params: { hash: t.hash },
    result: shapes.receipt,
    example: { params: [`0x${"ab".repeat(32)}`], result: null },
    handle({ hash }, call: Call) {
      const blocks = call.chain.blocks;
      const place = blocks.findTransaction(hash);
      const block = place === undefined ? undefined : blocks.findBlock(place.blockHash);
      const receipts = place === undefined ? undefined : blocks.findReceipts(place.blockHash);
      if (place === undefined || block === undefined || receipts === undefined) return null;
      const blobFee = blocks.blobFeeAt(block.header);
      return receiptObject(
        { block, receipts, blobFee, compatibility: call.compatibility, reasons },
        place.index,
      );
    },
  });
