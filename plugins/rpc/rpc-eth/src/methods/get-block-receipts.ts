import { type Call, method, RpcError, t } from "@plinth/core";
import { findKeptBlock, receiptObjects, shapes } from "@plinth/kit-rpc";
import { DIFFERENCES } from "../differences.js";
import type { RevertReasons } from "../revert-reasons.js";

/** `eth_getBlockReceipts`: the receipts of all transactions of a block, null if there is none. */
export const getBlockReceipts = (reasons: Pick<RevertReasons, "find">) =>
  method({
    summary: "Returns the receipts of all transactions of a block.",
    params: { block: t.blockId },
    result: shapes.receipts,
    example: { params: ["latest"], result: [] },
    handle({ block: id }, call: Call) {
      const blocks = call.chain.blocks;
      const block = findKeptBlock(call, id);
      const { compatibility } = call;
      if (block === undefined) {
        if (DIFFERENCES[compatibility.mode].refusesUnknownReceipts)
          throw new RpcError(-32000, "Block not found");
        return null;
      }
      const receipts = blocks.findReceipts(block.header.hash) ?? [];
      const blobFee = blocks.blobFeeAt(block.header);
      return receiptObjects({ block, receipts, blobFee, compatibility, reasons });
    },
  });
