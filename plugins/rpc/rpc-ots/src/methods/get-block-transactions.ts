import { type Call, method, type SealedBlock, t } from "@plinth/core";
import { findKeptBlock, receiptObject, transactionObject } from "@plinth/kit-rpc";
import { describeBlock } from "../block-details.js";
import { block, page, pageSize } from "../params.js";

/** The prefix and the four bytes of a selector. */
const SELECTOR_LENGTH = 10;

/** `ots_getBlockTransactions`: a page of the transactions of a block; page 0 has the last ones. */
export const getBlockTransactions = method({
  summary:
    "Returns a page of the transactions of a block with their receipts, without logs; page 0 has the last transactions.",
  params: { block, page, pageSize },
  result: t.json,
  example: { params: [1, 0, 25], result: null },
  handle({ block: id, page: number, pageSize: size }, call: Call) {
    const found = findKeptBlock(call, id);
    if (found === undefined) return null;
    const end = Math.max(0, found.body.transactions.length - number * size);
    return describePage(found, { start: Math.max(0, end - size), end }, call);
  },
});

function describePage(
  found: SealedBlock,
  { start, end }: { readonly start: number; readonly end: number },
  call: Call,
) {
  const { blocks } = call.chain;
  const { compatibility } = call;
  const { header, body } = found;
  const receipts = blocks.findReceipts(header.hash) ?? [];
  const of = { block: found, receipts, blobFee: blocks.blobFeeAt(header), compatibility };
  const transactions = body.transactions.slice(start, end).map((transaction, offset) => {
    const at = { header, index: start + offset };
    const object = transactionObject(transaction, { at, compatibility });
    return { ...object, input: object.input.slice(0, SELECTOR_LENGTH) };
  });
  return {
    fullblock: { ...describeBlock(found, call), transactions },
    receipts: transactions.map((_, offset) => ({
      ...receiptObject(of, start + offset),
      ...{ logs: null, logsBloom: null },
    })),
  };
}
