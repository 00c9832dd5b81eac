export { callGas, transactionGas } from "./call-gas.js";
export { type CallRequest, type CallRules, forGas, namesFees } from "./call-request.js";
export { ImpossibleCall, type ImpossibleReason, OverrideProblem } from "./errors.js";
export {
  type Job,
  type OffloadCaller,
  type OffloadContext,
  type OffloadOrder,
  offloads,
  type QueryOffload,
  type ReaderSettings,
} from "./offload.js";
export type { AccountOverride, BlockOverrides, StateOverrides } from "./overrides.js";
export type {
  CallQuery,
  CallSettings,
  Estimate,
  EstimateQuery,
  EstimateSettings,
  Query,
  QueryClient,
  TraceContext,
} from "./query.js";
