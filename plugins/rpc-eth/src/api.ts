export { blocksOf, findBlock, findHeader, getHeader, queryOf } from "./blocks.js";
export { type CallLimits, callLimits } from "./call-limits.js";
export { callRequest, requestFields } from "./call-request.js";
export { failureOf, impossible } from "./failure.js";
export type { FeeSettings } from "./fee-settings.js";
export { gasFor } from "./gas-cap.js";
export { blockOverrides, stateOverrides } from "./overrides.js";
export { type QuerySettings, querySettings } from "./query-settings.js";
export { rejectionOf } from "./rejection.js";
