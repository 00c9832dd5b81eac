import { type Call, method, t } from "@plinth/core";
import type { dependencies } from "../dependencies.js";
import { EXAMPLES } from "../examples.js";
import { readIndex } from "../find-index.js";
import { number, pageSize } from "../params.js";
import { searchTransactions } from "../search-transactions.js";

/** `ots_searchTransactionsBefore`: the transactions of an address before a block, newest first. */
export const searchTransactionsBefore = method({
  summary:
    "Returns a page of the transactions of an address in blocks before a number, newest first; 0 starts with the newest; needs --address-index-enabled.",
  params: { address: t.address, block: number, pageSize },
  result: t.json,
  example: {
    params: [EXAMPLES.address, 0, 25],
    result: { txs: [], receipts: [], firstPage: true, lastPage: true },
  },
  handle: ({ address, block, pageSize: size }, call: Call<typeof dependencies>) =>
    readIndex(call, async (index) => {
      const to = block === 0 ? call.chain.blocks.head().number : BigInt(block) - 1n;
      const range = { from: 0n, to, reverse: true };
      const search = { address, range, pageSize: size };
      const { txs, receipts, hasMore } = await searchTransactions(index, search, call);
      return { txs, receipts, firstPage: block === 0, lastPage: !hasMore };
    }),
});
