import type { Network, SyncStatus } from "@plinth/core";
import type { GraphqlContext } from "../api.js";
import type { ChainReader } from "../chain-reader.js";

/** What resolvers of our own get beside what everybody gets. */
export interface RequestContext extends GraphqlContext {
  readonly reader: ChainReader;
  readonly sync: SyncStatus;
  readonly network: Network;
}
