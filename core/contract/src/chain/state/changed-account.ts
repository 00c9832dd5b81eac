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

/** What is read of the changes of a block. */
export interface ChangedParts {
  /** Whether the changed slots are read; true by default. Without them an account has none. */
  readonly slots?: boolean;
}

/** The contribution point for the number of blocks whose changes a plugin reads; the highest one counts. */
export const readChanges = defineContributionPoint<number>("chain.readChanges", {
  summary: "Keeps what the latest blocks changed, for a plugin that reads it.",
});
