import { type Call, method, t } from "@plinth/core";
import { findBySenderAndNonce } from "@plinth/kit-rpc";
import type { dependencies } from "../dependencies.js";
import { EXAMPLES } from "../examples.js";
import { readIndex } from "../find-index.js";
import { number } from "../params.js";

/** `ots_getTransactionBySenderAndNonce`: the hash of a transaction, null if there is none. */
export const getTransactionBySenderAndNonce = method({
  summary:
    "Returns the hash of the transaction of a sender with a nonce; without the address index, by the states of the chain.",
  params: { sender: t.address, nonce: number },
  result: t.optional(t.hash),
  example: { params: [EXAMPLES.address, 0], result: EXAMPLES.hash },
  async handle({ sender, nonce }, call: Call<typeof dependencies>) {
    const { blocks } = call.chain;
    if (call.addresses === undefined) {
      return findBySenderAndNonce(blocks, sender, BigInt(nonce))?.transaction.hash;
    }
    return await readIndex(call, async (index) => {
      const place = index.findByNonce(sender, BigInt(nonce));
      return place && blocks.findBlock(place.number)?.body.transactions[place.index]?.hash;
    });
  },
});
