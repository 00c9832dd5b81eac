import { defineService } from "@plinth/core";
import type { FeeSettings } from "./fees/fee-settings.js";

/** The operator's limits for queries, over any API. */
export interface QuerySettings {
  /** Most gas of a simulated call; no limit when zero. */
  readonly gasCap: number;
  /** How far an estimate of gas may be above what is needed. */
  readonly estimateTolerance: number;
  /** How far apart the first and the last block of a search for logs may be; no limit when zero. */
  readonly maxLogsRange: number;
  readonly fees: FeeSettings;
}

/** For other ways to ask the same questions. */
export const querySettings = defineService<QuerySettings>("rpc-eth.query-settings", {
  hint: "@plinth/plugin-rpc-eth",
});
