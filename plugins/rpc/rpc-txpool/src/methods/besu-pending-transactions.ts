import { method, type Runtime, t } from "@plinth/core";
import { pendingObject } from "@plinth/kit-rpc";
import { limit, pendingFilter } from "../pending-filter.js";

/** `txpool_besuPendingTransactions`: the pending transactions that match a filter. */
export const besuPendingTransactions = method({
  summary:
    "Lists the transactions in the pool, filtered by sender, recipient, price, value and nonce.",
  params: { limit: t.optional(limit), filter: t.optional(pendingFilter, () => true) },
  result: t.json,
  example: { params: [10, { nonce: { gt: "0x1" } }], result: [] },
  handle({ limit, filter }, runtime: Runtime) {
    const wanted = runtime.pool.entries().filter(({ transaction }) => filter(transaction));
    return wanted
      .slice(0, limit)
      .map(({ transaction, networkForm }) =>
        pendingObject(transaction, runtime.compatibility, networkForm),
      );
  },
});
