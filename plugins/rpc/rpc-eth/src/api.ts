export { type CallLimits, callLimits } from "./call-limits.js";
export type { FeeSettings } from "./fees/fee-settings.js";
export { type QuerySettings, querySettings } from "./query-settings.js";
