import { transactionObject } from "@plinth/core";
import type { Topic } from "./topic.js";

/** `newPendingTransactions`: every transaction that the pool takes, or only its hash. */
export function pending({ includeTransactions }: { readonly includeTransactions: boolean }): Topic {
  return {
    ofPool: (transaction, compatibility) =>
      includeTransactions ? transactionObject(transaction, { compatibility }) : transaction.hash,
  };
}
