import { defineService } from "@plinth/core";
import type { FeeSettings } from "./fees/fee-settings.js";

/** The operator's limits for queries, over any API. */
export interface QuerySettings {
  /** Gas limit of a simulated call; unlimited if zero. */
  readonly gasCap: number;
  /** Tolerance of gas estimates above the gas needed. */
  readonly estimateTolerance: number;
  /** Maximum distance between the first and the last block of a log search; unlimited if zero. */
  readonly maxLogsRange: number;
  readonly fees: FeeSettings;
}

/** For other APIs with the same queries. */
export const querySettings = defineService<QuerySettings>("rpc-eth.query-settings", {
  hint: "@plinth/plugin-rpc-eth",
});
