import type { Block } from "../blocks/block.js";
import type { Receipt } from "../blocks/receipt.js";
import { defineContributionPoint } from "../kernel/contributions.js";
import type { Hash } from "../primitives/hex.js";
import type { ChangedAccount } from "./state/changed-account.js";
import type { RangedSlot } from "./state/state-entries.js";

/** The key of a reported account or slot is not needed if the address or the slot is there. */
type Named<T extends { readonly key: Hash }> = Omit<T, "key"> & { readonly key?: Hash };

/** An account as another node reports it after a block. */
export interface ReportedAccount extends Named<Omit<ChangedAccount, "slots">> {
  readonly slots: readonly Named<RangedSlot>[];
}

/** A block with what its execution on another node gave. */
export interface FollowedBlock {
  readonly block: Block;
  readonly receipts: readonly Receipt[];
  /** The accounts that it changed, as they are after it; each once. */
  readonly accounts: readonly ReportedAccount[];
}

/**
 * The contribution point of plugins that add blocks with `BlockWriter.follow`: the node then has neither a key nor peers, it
 * produces no blocks, and its pool is not stored.
 */
export const following = defineContributionPoint<true>("chain.follow", {
  summary: "The blocks of this node come from other nodes that executed them.",
});
