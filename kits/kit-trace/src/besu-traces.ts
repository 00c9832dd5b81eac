import type { Compatibility } from "@plinth/core";

/** Whether calls are traced as strict by default, as in Besu. */
export function holdsCallsToFees({ mode }: Pick<Compatibility, "mode">): boolean {
  return mode === "besu";
}
