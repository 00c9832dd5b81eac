import type { Compatibility, Transaction } from "@plinth/core";
import { transactionObject } from "@plinth/kit-rpc";
import type { Topic } from "./topic.js";

interface PendingSettings {
  readonly includeTransactions: boolean;
}

/** `newPendingTransactions`: every transaction that the pool accepts, or only its hash. */
export function pending(settings: PendingSettings): Topic {
  return { ofPool: (transaction, compatibility) => show(transaction, settings, compatibility) };
}

/** `droppedPendingTransactions`: every transaction that leaves the pool without being mined, or only its hash. */
export function dropped(settings: PendingSettings): Topic {
  return { ofDropped: (transaction, compatibility) => show(transaction, settings, compatibility) };
}

function show(
  transaction: Transaction,
  { includeTransactions }: PendingSettings,
  compatibility: Compatibility,
): unknown {
  return includeTransactions ? transactionObject(transaction, { compatibility }) : transaction.hash;
}
