import { transactionObject } from "@plinth/kit-rpc";
import type { Topic } from "./topic.js";

/** `droppedPendingTransactions`: every transaction that leaves the pool without being mined, or only its hash. */
export function dropped({ includeTransactions }: { readonly includeTransactions: boolean }): Topic {
  return {
    ofDropped: (transaction, compatibility) =>
      includeTransactions ? transactionObject(transaction, { compatibility }) : transaction.hash,
  };
}
