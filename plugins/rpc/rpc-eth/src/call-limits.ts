import { defineService } from "@plinth/core";

/** The operator's limits for simulated calls. */
export interface CallLimits {
  /** Gas limit of one call; unlimited if zero. */
  readonly gasCap: number;
}

/** Also for other namespaces that simulate calls. */
export const callLimits = defineService<CallLimits>("rpc-eth.call-limits", {
  hint: "@plinth/plugin-rpc-eth",
});
