export { openNetworkForm, type Sidecar } from "./blocks/blob-sidecar.js";
export {
  type Block,
  type Body,
  type BodyRoots,
  blockFromRlp,
  blockToRlp,
  bodyFromRlp,
  bodyRootsInTurns,
  bodyToRlp,
  decodeBlock,
  decodeBodyInTurns,
  encodeBlock,
  encodeBody,
  NO_UNCLES_HASH,
  openBlock,
  receiptsRoot,
  type SealedBlock,
  transactionsRoot,
  type UnreadBlock,
  unclesHash,
  withdrawalsRoot,
} from "./blocks/block.js";
export { contractAddress } from "./blocks/contract-address.js";
export { effectiveGasPrice } from "./blocks/effective-gas-price.js";
export { InvalidTransaction } from "./blocks/errors.js";
export { Fields, scalarBytes } from "./blocks/fields.js";
export {
  decodeHeader,
  encodeHeader,
  type Header,
  headerFromRlp,
  headerToRlp,
  keccakHeader,
  type SealedHeader,
} from "./blocks/header.js";
export { MAX_NONCE, MAX_UINT64, MAX_UINT256 } from "./blocks/limits.js";
export { EMPTY_ROOT } from "./blocks/ordered-root.js";
export {
  bloomOfLogs,
  encodeReceipt,
  type Log,
  type Receipt,
  receiptFromRlp,
  receiptToRlp,
} from "./blocks/receipt.js";
export {
  encodeUnsigned,
  encodeZeroSigned,
  signAuthorization,
  signTransaction,
  type UnsignedTransaction,
} from "./blocks/sign-transaction.js";
export {
  decodeTransaction,
  findPublicKey,
  Transaction,
  transactionFromRlp,
  transactionToRlp,
} from "./blocks/transaction.js";
export type { AccessListEntry, Authorization } from "./blocks/transaction-fields.js";
export type { Withdrawal } from "./blocks/withdrawals.js";
export type { BadBlock } from "./chain/bad-block.js";
export type { BlockReader } from "./chain/block-reader.js";
export type { BlockWriter } from "./chain/block-writer.js";

export type { BloomSource } from "./chain/bloom-source.js";
export type { BuildVerdict, CandidateEvent } from "./chain/build/hooks.js";
export type { Chain } from "./chain/chain.js";
export { ChainStore } from "./chain/chain-store.js";
export { AccountOverflow, FutureBlock, InvalidBlock } from "./chain/errors.js";
export { type NamedNetwork, namedNetworks } from "./chain/genesis/named-network.js";
export type {
  BeforeExecutionEvent,
  BlockEvent,
  CommitEvent,
  ExecutedEvent,
  HeadChangeCause,
  HeadChanged,
  HeaderEvent,
  ImportedEvent,
} from "./chain/hooks.js";
export { blobFeeOf, blobGasOf } from "./chain/import/blob-gas.js";
export { collectRequests, requestsHash } from "./chain/import/requests.js";
export {
  BEACON_ROOTS,
  BLOCK_HASHES,
  callSystem,
  keepHistory,
} from "./chain/import/system-calls.js";
export { verifyBody, verifyBodyInTurns } from "./chain/import/verify-body.js";
export { type HeaderRules, verifyHeader } from "./chain/import/verify-header.js";
export { applyWithdrawals } from "./chain/import/withdraw.js";
export type { CandidateRun, LogCriteria, LogIndex } from "./chain/log-index.js";
export type { PluginState, PluginStatePlace, PluginStateUpdate } from "./chain/plugin-state.js";
export type { BlockReplay, ReplayedState } from "./chain/replay.js";
export { baseFeeOn } from "./chain/rules/base-fee.js";
export {
  blobBaseFee,
  GAS_PER_BLOB,
  maxBlobGas,
  nextExcessBlobGas,
} from "./chain/rules/blob-fee.js";
export type { BlobRules } from "./chain/rules/blob-schedule.js";
export {
  type ForkId,
  type ForkPoints,
  forkHashAt,
  forkIdAt,
  readForkPoints,
} from "./chain/rules/fork-id.js";
export { floorGas, intrinsicGas } from "./chain/rules/intrinsic-gas.js";
export { MAX_INIT_CODE_BYTES } from "./chain/rules/verify-transaction.js";
export type { ScratchState } from "./chain/scratch-state.js";
export type {
  AccountDifference,
  AccountImage,
  SlotDifference,
  StateWatch,
} from "./chain/state-difference.js";
export type { RangedAccount, RangedSlot } from "./chain/state-entries.js";
export type {
  AccountProof,
  Proof,
  ProofRequest,
  SlotProof,
  StoredAccount,
} from "./chain/state-proof.js";
export { decodeChecked, encodeChecked } from "./chain/stored/checked-json.js";
export { replaceFile } from "./chain/stored/replace-file.js";
export type { MarkedHead, MarkerContent, StoredChain } from "./chain/stored-chain.js";
export type { StoredProblem, VerifiedBlock, VerifiedNode } from "./chain/verified-block.js";
export { problemsOfBlock } from "./chain/verify/verify-blocks.js";
export { StateWalk } from "./chain/verify/verify-state.js";
export {
  type AnyCommand,
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandIo,
  command,
  type OpenChain,
  type StatusLine,
} from "./cli/command.js";
export {
  type Codec,
  DecodeError,
  type JsonSchema,
  type Reading,
  type ValueOf,
} from "./codec/codec.js";
export { type BlockId, type BlockNumberOrTag, type CanonicalHash, t } from "./codec/ethereum.js";
export { parseJson } from "./codec/parse-json.js";
export {
  type BlockOrder,
  type BlockReward,
  type BuiltBlock,
  type ChainReader,
  type ConsensusEngine,
  defineEngine,
  type EngineChain,
  type EngineCheckContext,
  type EngineContext,
  type EngineDefinition,
  type EngineKey,
  engines,
  type FieldPresence,
  type Finality,
  type Finalization,
  type ForkField,
  type Mining,
  type ProducerHost,
  type WeighedHeader,
} from "./consensus/engine.js";
export { type ExtraDataCodec, extraDataCodecs } from "./consensus/extra-data.js";
export type { ForkRules } from "./consensus/fork-rules.js";
export {
  type AllocatedAccount,
  type GenesisCheck,
  type GenesisFacts,
  type GenesisFinding,
  genesisChecks,
} from "./consensus/genesis-check.js";
export { type GenesisTemplate, genesisTemplates } from "./consensus/genesis-template.js";
export type { EngineSelected } from "./consensus/hooks.js";
export { formatProduced, type ProductionTiming } from "./consensus/produced-line.js";
export type { BuildPolicy, MiningSettings } from "./consensus/production.js";
export type { LentEvm } from "./evm/evm.js";
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
  type Message,
  type MessageWatch,
  type Precompile,
  type Precompiles,
  type RunContext,
  type SystemCall,
} from "./evm/evm.js";
export { FORKS, type Fork, isAtLeast } from "./evm/fork.js";
export type { EvmPurpose } from "./evm/hooks.js";
export { describeInvalidOpcode } from "./evm/invalid-opcode.js";
export type { EvmOutcome } from "./evm/outcome.js";
export { ReadOnlyAccount } from "./evm/read-only-account.js";
export { RunTooLarge } from "./evm/run-too-large.js";
export { RunTooLong } from "./evm/run-too-long.js";
export type { FrameKind, TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "./evm/tracer.js";
export type { Account, StateReader, WorldState } from "./evm/world-state.js";
export { EMPTY_CODE_HASH } from "./evm/world-state.js";
export { type Clock, sleepOn, systemClock } from "./kernel/clock.js";
export { closestTo } from "./kernel/closest.js";
export {
  Configuration,
  type DeclaredOption,
  type Given,
  type Layer,
  OptionSchema,
  type Origin,
  type SourceKind,
  suggestionHints,
} from "./kernel/config.js";
export { type ContributionPoint, defineContributionPoint } from "./kernel/contributions.js";
export type { Driver, DriverPoint } from "./kernel/drivers.js";
export {
  ConfigError,
  type ErrorDetails,
  InvariantError,
  messageOf,
  PlinthError,
  PluginError,
  StorageError,
} from "./kernel/errors.js";
export { escapeLine } from "./kernel/escape-controls.js";
export type {
  Health,
  HealthCheck,
  HealthReport,
  HealthStatus,
  NamedHealth,
} from "./kernel/health.js";
export type { HookDocs, HookKind, Stage, Tappable } from "./kernel/hooks.js";
export {
  createLogs,
  createLogsTo,
  createLogWriter,
  type LogFormat,
  type Logger,
  type LogSettings,
  type Logs,
  silentLogs,
} from "./kernel/log.js";
export {
  type LogDriver,
  type LogDriverSettings,
  type LogWriter,
  logDrivers,
} from "./kernel/log-driver.js";
export type { LogFields, LogLevel, LogLine } from "./kernel/log-line.js";
export {
  type Collect,
  type Counter,
  type Gauge,
  type Histogram,
  type Labels,
  type MetricFamily,
  type MetricSettings,
  MetricsRegistry,
  type PluginMetrics,
  type Sample,
} from "./kernel/metrics.js";
export {
  type OptionKind,
  optionKinds,
  type ValueContext,
  ValueProblem,
} from "./kernel/option-kinds.js";
export {
  type Option,
  type OptionSettings,
  type Options,
  type OptionValues,
  option,
  toOptionKey,
  toOptionName,
  toVariableName,
} from "./kernel/options.js";
export { type Plugin, verifyPlugin } from "./kernel/plugin.js";
export type { OrderedPlugin } from "./kernel/resolve-order.js";
export {
  type Dependencies,
  defineService,
  type OptionalService,
  optional,
  type Resolved,
  type Service,
  type Unavailable,
  unavailable,
} from "./kernel/services.js";
export { findPlace } from "./kernel/stack-files.js";
export { runInTurns, runSteps, type Steps } from "./kernel/steps.js";
export type { Tasks } from "./kernel/tasks.js";
export { type Lane, MAX_BUSY_MS, nextTurn, Yielder } from "./kernel/turns.js";
export { type NewFile, verifyTarget, writeFolder } from "./kernel/write-folder.js";
export { agreeProtocols, type Capability, formatCapability } from "./network/capability.js";
export {
  DISCONNECT_REASONS,
  type DisconnectReason,
  type PeerEnd,
  PeerError,
} from "./network/disconnect.js";
export type {
  FixedNodes,
  HostNames,
  LinkReceiver,
  LocalNode,
  NetworkDriver,
  NetworkHost,
  NetworkTransport,
  OfferedProtocol,
  PeerLink,
} from "./network/driver.js";
export {
  type Enode,
  type EnodeProblem,
  type EnodeRules,
  formatEnode,
  InvalidEnode,
  isSameEnode,
  parseEnode,
} from "./network/enode.js";
export type {
  ConnectEvent,
  DisconnectedEvent,
  DiscoverEvent,
  PeerMessageEvent,
  PeerRefusal,
} from "./network/hooks.js";
export type { Network } from "./network/network.js";
export type { NodeId } from "./network/node-id.js";
export {
  type NodeKey,
  type NodeKeyDriver,
  nodeKeyDrivers,
} from "./network/node-key.js";
export type {
  Direction,
  Peer,
  PeerIdentity,
  PeerReport,
  PeerStatistics,
  ProtocolPeer,
  SocketAddress,
} from "./network/peer.js";
export type {
  ProtocolSession,
  SubProtocol,
} from "./network/sub-protocol.js";
export type { SyncProgress, SyncStatus } from "./network/sync-status.js";
export { MAX_EXTRA_BYTES } from "./node/build-policy.js";
export { createNode, type NodeSettings } from "./node/create-node.js";
export { definePlugin, type PluginDefinition } from "./node/define-plugin.js";
export type { RegisteredEvent } from "./node/hooks.js";
export { Node, type NodeEnd, type NodeSurroundings } from "./node/node.js";
export { runCommand } from "./node/offline.js";
export { coreOptions } from "./node/options.js";
export type { NodeHooks } from "./node/plugin-hooks.js";
export type { PluginNode } from "./node/plugin-node.js";
export {
  defineQuery,
  type PluginQuery,
  type PluginQueryRunner,
  type QueryContext,
  type QueryLimits,
} from "./node/plugin-query.js";
export {
  configureNode,
  type PreparedNode,
  type ResolvedPlugins,
  resolvePlugins,
} from "./node/prepare.js";
export type { Call, QueryCall, Runtime, RuntimeWith } from "./node/runtime.js";
export type { PluginModules } from "./node/thread-settings.js";
export { coreVersion, formatClientVersion } from "./node/version.js";
export { RejectedTransaction, type RejectionReason } from "./pool/errors.js";
export type { Departure, Explanation, Shortfall } from "./pool/explanation.js";
export type { AdmitEvent, DroppedEvent, Refusal, RejectedEvent } from "./pool/hooks.js";
export type {
  Pool,
  PoolEntry,
  PriceFloor,
  SubmitSettings,
  TransactionOrigin,
} from "./pool/pool.js";
export { type BlobProofVerifier, blobProofVerifiers } from "./pool/proof-verifier.js";
export {
  AnsweringThread,
  type ThreadAnswer,
  type ThreadQuestion,
} from "./primitives/answering-thread.js";
export { hashPassword } from "./primitives/bcrypt.js";
export {
  BLOOM_BYTES,
  type Bloom,
  type BloomBits,
  bloomBits,
  createBloom,
  hasBits,
  isEmptyBloom,
  mergeIntoBloom,
} from "./primitives/bloom.js";
export { type Crypto, getCrypto, loadCrypto } from "./primitives/crypto.js";
export {
  type Address,
  type Hash,
  type Hex,
  hexToBytes,
  parseHex,
  toHex,
  toQuantity,
  withoutPrefix,
  ZERO_HASH,
} from "./primitives/hex.js";
export { IndentedJson } from "./primitives/indented-json.js";
export { keccak256, keccakHash } from "./primitives/keccak.js";
export { loadKeccak512 } from "./primitives/keccak512.js";
export { PasswordChecker } from "./primitives/password-checker.js";
export {
  decodeFirst,
  decodeRlp,
  encodeRlp,
  type Rlp,
  RlpError,
  type RlpLimits,
  rlpItems,
  rlpLength,
} from "./primitives/rlp.js";
export { loadRunningKeccak, type RunningKeccak } from "./primitives/running-keccak.js";
export type { Signature } from "./primitives/secp256k1.js";
export { callGas, simulateCall, transactionGas, verifyOutput } from "./query/call.js";
export { type CallRequest, type CallRules, forGas, ZERO_ADDRESS } from "./query/call-request.js";
export { estimateGas } from "./query/estimate-gas.js";
export { ImpossibleCall, type ImpossibleReason } from "./query/impossible-call.js";
export type { AccountOverride, BlockOverrides, StateOverrides } from "./query/overrides.js";
export { precompilesOf, type StandardPrecompile } from "./query/precompiles.js";
export type {
  CallQuery,
  CallSettings,
  Estimate,
  EstimateQuery,
  EstimateSettings,
  Query,
  QueryClient,
  TraceContext,
} from "./query/query.js";
export { applyOverrides, OverrideProblem } from "./query/state-overrides.js";
export type { Answer, Outcome, Part } from "./rpc/answer.js";
export type { CallBudget, ClaimedCall } from "./rpc/call-budget.js";
export type { Identity, RpcClient } from "./rpc/client.js";
export {
  COMPATIBILITIES,
  COMPATIBILITY_MODES,
  type Compatibility,
  type CompatibilityMode,
} from "./rpc/compatibility.js";
export {
  Endpoint,
  type EndpointSettings,
  type Exposure,
  type ListenAddress,
} from "./rpc/endpoint.js";
export { LimitExceeded, RpcError } from "./rpc/errors.js";
export type {
  AuthorizeEvent,
  CalledEvent,
  DeniedEvent,
  IncomingEvent,
  MethodContext,
} from "./rpc/hooks.js";
export type {
  BoundRoute,
  HttpRoute,
  OwnPort,
  RoutePlace,
  RouteReply,
  RouteRequest,
  RouteSource,
} from "./rpc/http-route.js";
export { inSequence } from "./rpc/in-sequence.js";
export {
  type FollowedResult,
  followed,
  type Method,
  type MethodExample,
  type MethodSettings,
  type Methods,
  method,
  type RawResult,
  raw,
  type StreamResult,
  stream,
} from "./rpc/method.js";
export type { RegisteredMethod } from "./rpc/registered-method.js";
export {
  type ConnectionBudget,
  ListenerBudget,
  type ResponseBudget,
  type ResponseLimit,
  type ResponseLimits,
} from "./rpc/response-budget.js";
export type { Rpc } from "./rpc/rpc.js";
export { disconnectSlowSenders } from "./rpc/slow-senders.js";
export { storageDrivers } from "./storage/drivers.js";
export { createMemoryStorageDriver } from "./storage/memory-store.js";
export {
  type PluginBatch,
  PluginTable,
  type PluginTableKind,
  type TableChange,
} from "./storage/plugin-table.js";
export type {
  CopiedFiles,
  Entry,
  KeyRange,
  KeyValueStore,
  Snapshot,
  StorageDriver,
  StorageFiles,
  StoragePlace,
  StoredDamage,
  StoredEntry,
  StoredItem,
  Table,
  WriteBatch,
} from "./storage/store.js";
export { SYNC_MODES, type SyncMode } from "./storage/sync-writes.js";
export { verifyTableName } from "./storage/table-name.js";
export { TABLES } from "./storage/tables.js";
