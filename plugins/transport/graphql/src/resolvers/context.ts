import type { Network } from "@plinth/core";
import type { SyncStatus } from "@plinth/core/network";
import type { GraphqlContext } from "../api.js";
import type { ChainReader } from "../chain-reader.js";

/** The context of the built-in resolvers, in addition to the common one. */
export interface RequestContext extends GraphqlContext {
  readonly reader: ChainReader;
  readonly sync: SyncStatus;
  readonly network: Network;
}
