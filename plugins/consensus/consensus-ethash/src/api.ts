import { defineContributionPoint } from "@plinth/core";

/** Switch for seal verification. */
export interface SealCheck {
  /** True by default; an import of blocks without seals disables it. */
  isEnabled: boolean;
}

/** Service key for the seal verification of proof-of-work engines. */
export const sealChecks = defineContributionPoint<SealCheck>("consensus-ethash.sealCheck", {
  summary: "Seal verification that an import may disable.",
});
