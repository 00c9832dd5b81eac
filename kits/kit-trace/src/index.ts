export { Abandoned } from "./abandoned.js";
export { holdsCallsToFees } from "./besu-traces.js";
export { canReach } from "./can-reach.js";
export { combineTracers } from "./combine-tracers.js";
export { type FoundTransaction, findTransaction } from "./find-transaction.js";
export {
  type CallAction,
  type CreateAction,
  type FlatAction,
  type FlatTrace,
  placed,
  type RewardAction,
  type SuicideAction,
  type TracePlace,
} from "./flat-trace.js";
export { type FlatTraceOptions, FlatTracer } from "./flat-tracer.js";
export { haltDescription } from "./halt-description.js";
export { opcodeName } from "./opcode-names.js";
export { Pace, yielding } from "./pace.js";
export { optionalBlock, transactionHash } from "./params.js";
export { replayTo } from "./replay-to.js";
export { readWhileMade, type Sink } from "./sink.js";
export { addressIn, dataAt } from "./stack-words.js";
export { TraceBudget } from "./trace-budget.js";
