import { defineService } from "@plinth/core";

/** What operators allow simulated calls. */
export interface CallLimits {
  /** Most gas of one; no limit when zero. */
  readonly gasCap: number;
}

/** For namespaces that run calls, too. */
export const callLimits = defineService<CallLimits>("rpc-eth.call-limits", {
  hint: "@plinth/plugin-rpc-eth",
});
