import { type Call, method, t } from "@plinth/core";
import { findBySenderAndNonce, pendingObject, shapes, transactionObject } from "@plinth/kit-rpc";

/** `eth_getTransactionBySenderAndNonce`: a transaction of the chain or of the pool, null if there is none. */
export const getTransactionBySenderAndNonce = method({
  summary: "Returns the transaction of a sender with a nonce.",
  params: { sender: t.address, nonce: t.uint64 },
  exactParams: true,
  result: shapes.transaction,
  example: { params: ["0xfe3b557e8fb62b89f4916b721be55ceb828dbd73", "0x0"], result: null },
  handle({ sender, nonce }, { chain: { blocks }, pool, compatibility }: Call) {
    const found = findBySenderAndNonce(blocks, sender, nonce);
    if (found !== undefined) {
      const { transaction, block, index } = found;
      const at = { header: block.header, index };
      return transactionObject(transaction, { at, compatibility });
    }
    const waiting = pool.all().find((each) => each.sender === sender && each.nonce === nonce);
    return waiting === undefined ? null : pendingObject(waiting, compatibility);
  },
});
