import { defineContributionPoint } from "@plinth/core";

/** Whether the seals of blocks are verified. */
export interface SealCheck {
  /** True at first; an import of blocks without seals disables it. */
  isEnabled: boolean;
}

/** Where proof-of-work engines put the switch of their seal verification. */
export const sealChecks = defineContributionPoint<SealCheck>("consensus-ethash.sealCheck", {
  summary: "Verification of seals that an import may leave out.",
});
