import { type Call, method, t } from "@plinth/core";
import { encodeReceipt } from "@plinth/core/blocks";
import { getHeader } from "@plinth/kit-rpc";
import { rawItem } from "../raw-item.js";

/** `debug_getRawReceipts`: the receipts of a block in their network encoding. */
export const getRawReceipts = method({
  summary: "Returns the receipts of a block, each in its binary form.",
  params: { block: t.blockId },
  result: t.array(t.data),
  example: { params: ["latest"], result: [] },
  handle({ block }, call: Call) {
    const blocks = call.chain.blocks;
    const receipts = blocks.findReceipts(getHeader(blocks, block).hash) ?? [];
    return receipts.map((receipt) => rawItem(encodeReceipt(receipt), receipt, call.compatibility));
  },
});
