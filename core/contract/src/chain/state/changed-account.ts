import { defineContributionPoint } from "../../kernel/contributions.js";
import type { RangedAccount, RangedSlot } from "./state-entries.js";
import type { StoredAccount } from "./state-proof.js";

/** An account that a block changed, as it is after the block. */
export interface ChangedAccount extends RangedAccount {
  /** `undefined` if it no longer exists. */
  readonly account: StoredAccount | undefined;
  /** Its code, if the block changed it. */
  readonly code: Uint8Array | undefined;
  /** Whether all slots that it had before the block were removed. */
  readonly isCleared: boolean;
  /** The changed slots; zero if they were removed. */
  readonly slots: readonly RangedSlot[];
}

/** The contribution point for the number of blocks whose changes a plugin reads; the highest one counts. */
export const readChanges = defineContributionPoint<number>("chain.readChanges", {
  summary: "Keeps what the latest blocks changed, for a plugin that reads it.",
});
