export { ReadOnlyAccount, RunTooLarge, RunTooLong } from "./errors.js";
export {
  type BareRun,
  type BlockContext,
  type Evm,
  type EvmChain,
  type EvmDriver,
  type EvmLog,
  type EvmResult,
  type EvmTransaction,
  evmDrivers,
  type LentEvm,
  type Message,
  type MessageWatch,
  type Precompile,
  type Precompiles,
  type RunContext,
  type SystemCall,
} from "./evm.js";
export { FORKS, type Fork, isAtLeast, NEWEST_FORK } from "./fork.js";
export type { ProtocolPrecompile } from "./forks/precompile.js";
export type { BlobCounts, NetStorePrices, Opcode, RuleSet } from "./forks/rule-set.js";
export { rulesOf } from "./forks/rules-of.js";
export type { EvmPurpose } from "./hooks.js";
export { describeInvalidOpcode } from "./invalid-opcode.js";
export type { EvmOutcome } from "./outcome.js";
export type { FrameKind, TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "./tracer.js";
export { type Account, EMPTY_CODE_HASH, type WorldState } from "./world-state.js";
