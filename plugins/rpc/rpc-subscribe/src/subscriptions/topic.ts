import type { Compatibility, Transaction } from "@plinth/core";
import type { SyncProgress } from "@plinth/core/network";
import type { ChainNews } from "./chain-news.js";

/** The topic of a subscription; each function returns the notifications for an event, in order. */
export interface Topic {
  readonly ofChain?: (news: ChainNews) => Iterable<unknown>;
  /** For transactions that the pool accepts. */
  readonly ofPool?: (transaction: Transaction, compatibility: Compatibility) => unknown;
  /** For transactions that leave the pool without being mined. */
  readonly ofDropped?: (transaction: Transaction, compatibility: Compatibility) => unknown;
  /** For changes of the sync status. */
  readonly ofSync?: (progress: SyncProgress) => unknown;
}
