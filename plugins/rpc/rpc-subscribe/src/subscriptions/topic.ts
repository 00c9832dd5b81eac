import type { Compatibility, Transaction } from "@plinth/core";
import type { SyncProgress } from "@plinth/core/network";
import type { ChainNews } from "./chain-news.js";

/** The topic of a subscription; each function returns the notifications for an event, in order. */
export interface Topic {
  readonly ofChain?: (news: ChainNews) => Iterable<unknown>;
  /** Of transactions that the pool takes. */
  readonly ofPool?: (transaction: Transaction, compatibility: Compatibility) => unknown;
  /** Of those that leave it without being mined. */
  readonly ofDropped?: (transaction: Transaction, compatibility: Compatibility) => unknown;
  /** Of the node falling behind its peers, or catching up. */
  readonly ofSync?: (progress: SyncProgress) => unknown;
}
