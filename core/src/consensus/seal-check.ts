import { defineContributionPoint } from "../kernel/contributions.js";

/** Whether an engine checks the seals of blocks. */
export interface SealCheck {
  /** True at first; an import of blocks that nobody ever sealed turns it off. */
  isEnabled: boolean;
}

/** Where engines put the switch of a check that can be left out. */
export const sealChecks = defineContributionPoint<SealCheck>("consensus.sealCheck", {
  summary: "Checks of seals that an import may leave out.",
});
