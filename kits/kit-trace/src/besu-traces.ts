import type { Compatibility } from "@plinth/core";

/** Whether calls are traced as strict unless they say otherwise, as Besu does. */
export function holdsCallsToFees({ mode }: Pick<Compatibility, "mode">): boolean {
  return mode === "besu";
}
