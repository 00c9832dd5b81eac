export type { BadBlock } from "./bad-block.js";
export type { BlockMaker, MadeBlock, OrderedBlock } from "./block-maker.js";
export {
  BlockPruned,
  type EncodedBlock,
  type OldestStates,
  type PluginRun,
  type SlotRange,
  StatePruned,
  type TransactionPlace,
  unlessPruned,
} from "./block-reader.js";
export type { BlockWriter } from "./block-writer.js";
export type { BloomSource } from "./bloom-source.js";
export type { BuildHooks } from "./build-hooks.js";
export { type FollowedBlock, following, type ReportedAccount } from "./followed-block.js";
export type { ChainHooks, GenesisContext, HeadChangeCause, OpeningEvent } from "./hooks.js";
export type { HeadChange, ImportOrigin, ImportResult, QueuePlace } from "./import-result.js";
export {
  type ChainJoin,
  chainJoins,
  type JoinedAccount,
  type JoinedBlock,
  type JoinedCode,
  type JoinedSlot,
  type JoinedState,
  type JoinProtocol,
  type JoinTarget,
  type OfferedChain,
  type RequiredBlock,
  type UnprovenHeaders,
} from "./join/chain-join.js";
export { JoinRefused, TooFewHeaders } from "./join/join-refused.js";
export { checkOldBlocks } from "./join/old-blocks-health.js";
export {
  type FetchedValues,
  type MissingRun,
  type MissingValue,
  type OriginAccount,
  StateMissing,
  type StateOrigin,
  StateUnavailable,
  stateOrigins,
} from "./join/state-origin.js";
export type { CandidateRun, LogCriteria, LogIndex } from "./log-index.js";
export type { PluginState, PluginStatePlace, PluginStateUpdate } from "./plugin-state.js";
export type { BlockReplay, ReplayedState, ReplayResult } from "./replay.js";
export type { Simulation, StatePoint } from "./simulation.js";
export { type ChangedAccount, type ChangedParts, readChanges } from "./state/changed-account.js";
export type { AccessedAccount, ScratchState } from "./state/scratch-state.js";
export type {
  AccountDifference,
  AccountImage,
  SlotDifference,
  StateWatch,
} from "./state/state-difference.js";
export type { RangedAccount, RangedSlot } from "./state/state-entries.js";
export type {
  AccountProof,
  Proof,
  ProofRequest,
  ProvenRange,
  RangeEntry,
  RangeLimits,
  SlotProof,
  StateRanges,
  StoredAccount,
} from "./state/state-proof.js";
export type { MarkedHead, MarkerContent, StoredChain, StoredMarker } from "./stored-chain.js";
export type { StoredProblem, VerifiedBlock, VerifiedNode } from "./verified-block.js";
