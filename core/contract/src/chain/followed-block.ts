import type { Block } from "../blocks/block.js";
import type { Receipt } from "../blocks/receipt.js";
import { defineContributionPoint } from "../kernel/contributions.js";
import type { ChangedAccount } from "./state/changed-account.js";

/** A block with what its execution on another node gave. */
export interface FollowedBlock {
  readonly block: Block;
  readonly receipts: readonly Receipt[];
  /** The accounts that it changed, as they are after it; each once. */
  readonly accounts: readonly ChangedAccount[];
}

/** Where the blocks of a node come from that executes none. */
export interface Following {
  /** The option that says so, for messages. */
  readonly option: string;
}

/**
 * The contribution point of plugins that add blocks with `BlockWriter.follow`: the node then has neither a key nor peers, it
 * produces no blocks, and its pool is not stored.
 */
export const following = defineContributionPoint<Following>("chain.follow", {
  summary: "The blocks of this node come from other nodes that executed them.",
});
