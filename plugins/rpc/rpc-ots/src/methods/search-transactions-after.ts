import { type Call, method, t } from "@plinth/core";
import type { dependencies } from "../dependencies.js";
import { EXAMPLES } from "../examples.js";
import { readIndex } from "../find-index.js";
import { number, pageSize } from "../params.js";
import { searchTransactions } from "../search-transactions.js";

/** `ots_searchTransactionsAfter`: the transactions of an address after a block, newest first. */
export const searchTransactionsAfter = method({
  summary:
    "Returns a page of the transactions of an address in blocks after a number, newest first; 0 starts with the oldest; needs --address-index-enabled.",
  params: { address: t.address, block: number, pageSize },
  result: t.json,
  example: {
    params: [EXAMPLES.address, 0, 25],
    result: { txs: [], receipts: [], firstPage: true, lastPage: true },
  },
  handle: ({ address, block, pageSize: size }, call: Call<typeof dependencies>) =>
    readIndex(call, async (index) => {
      const range = { from: BigInt(block) + 1n, to: call.chain.blocks.head().number };
      const search = { address, range, pageSize: size };
      const { txs, receipts, hasMore } = await searchTransactions(index, search, call);
      return { txs, receipts, firstPage: !hasMore, lastPage: block === 0 };
    }),
});
