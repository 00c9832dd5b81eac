import { type Call, method, t } from "@plinth/core";
import { pendingObject, shapes, transactionObject } from "@plinth/kit-rpc";

/** `eth_getTransactionByHash`: a transaction of the chain or of the pool, null if there is none. */
export const getTransactionByHash = method({
  summary: "Returns a transaction by its hash.",
  params: { hash: t.hash },
  exactParams: true,
  result: shapes.transaction,
  example: { params: [`0x${"ab".repeat(32)}`], result: null },
  handle({ hash }, call: Call) {
    const { compatibility } = call;
    const blocks = call.chain.blocks;
    const place = blocks.findTransaction(hash);
    if (place === undefined) {
      const waiting = call.pool.find(hash);
      return waiting === undefined ? null : pendingObject(waiting, compatibility);
    }
    const block = blocks.findBlock(place.blockHash);
    const transaction = block?.body.transactions[place.index];
    if (block === undefined || transaction === undefined) return null;
    const at = { header: block.header, index: place.index };
    return transactionObject(transaction, { at, compatibility });
  },
});
