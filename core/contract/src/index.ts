/**
 * The names every plugin uses: at most 150. The rest is in the entries of the folders, such as
 * `@plinth/core/blocks`.
 */
export { nextTurn, Yielder, yieldToLoop } from "./async/yield-to-loop.js";
export { type Block, type Body, encodeBlock, type SealedBlock } from "./blocks/block.js";
export { FutureBlock, InvalidBlock, InvalidTransaction } from "./blocks/errors.js";
export { type Header, keccakHeader, type SealedHeader } from "./blocks/header.js";
export { EMPTY_ROOT } from "./blocks/ordered-root.js";
export type { Log, Receipt } from "./blocks/receipt.js";
export { Transaction } from "./blocks/transaction.js";
export type { BlockReader } from "./chain/block-reader.js";
export type { BuildVerdict, CandidateEvent } from "./chain/build-hooks.js";
export type { Chain } from "./chain/chain.js";
export type {
  BeforeExecutionEvent,
  BlockEvent,
  CommitEvent,
  ExecutedEvent,
  HeadChanged,
  HeaderEvent,
  ImportedEvent,
} from "./chain/hooks.js";
export {
  type Command,
  type CommandContext,
  type CommandIo,
  command,
  type OpenChain,
} from "./cli/command.js";
export { type Codec, DecodeError, type ValueOf } from "./codec/codec.js";
export { type BlockId, type BlockNumberOrTag, t } from "./codec/ethereum.js";
export { parseJson } from "./codec/parse-json.js";
export {
  type ChainReader,
  type ConsensusEngine,
  defineEngine,
  type EngineContext,
  type EngineDefinition,
  type FieldPresence,
  type ProducerHost,
} from "./consensus/engine.js";
export type { StateReader } from "./evm/world-state.js";
export { type Clock, systemClock } from "./kernel/clock.js";
export { type ContributionPoint, defineContributionPoint } from "./kernel/contributions.js";
export {
  ConfigError,
  InvariantError,
  messageOf,
  PlinthError,
  StorageError,
} from "./kernel/errors.js";
export type { Logger } from "./kernel/logs/log.js";
export { type LogDriver, logDrivers } from "./kernel/logs/log-driver.js";
export type { LogFields } from "./kernel/logs/log-line.js";
export { optionKinds } from "./kernel/options/option-kinds.js";
export {
  type Option,
  type Options,
  type OptionValues,
  option,
  toOptionName,
} from "./kernel/options/options.js";
export type { Plugin } from "./kernel/plugins/plugin.js";
export type { Tasks } from "./kernel/plugins/tasks.js";
export {
  type Dependencies,
  defineService,
  type OptionalService,
  optional,
  type Service,
  unavailable,
} from "./kernel/services.js";
export type { Health, HealthCheck } from "./kernel/watch/health.js";
export type { Counter, Gauge, Histogram, PluginMetrics } from "./kernel/watch/metrics.js";
export { PeerError } from "./network/disconnect.js";
export type { ConnectEvent, DisconnectedEvent } from "./network/hooks.js";
export type { Network } from "./network/network.js";
export type { ProtocolPeer } from "./network/peer.js";
export type { ProtocolSession, SubProtocol } from "./network/sub-protocol.js";
export { definePlugin, type PluginDefinition } from "./plugin/define-plugin.js";
export type { NodeHooks } from "./plugin/plugin-hooks.js";
export type { PluginNode } from "./plugin/plugin-node.js";
export { defineQuery, type PluginQuery, type QueryContext } from "./plugin/plugin-query.js";
export type { Call, QueryCall, Runtime, RuntimeWith } from "./plugin/runtime.js";
export { RejectedTransaction } from "./pool/errors.js";
export type { AdmitEvent, DroppedEvent, Refusal, RejectedEvent } from "./pool/hooks.js";
export type { Pool, PoolEntry } from "./pool/pool.js";
export { getCrypto, loadCrypto } from "./primitives/crypto.js";
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
export { keccak256 } from "./primitives/keccak/keccak.js";
export { decodeRlp, encodeRlp, type Rlp, RlpError } from "./primitives/rlp.js";
export { ZERO_ADDRESS } from "./query/call-request.js";
export type { RpcClient } from "./rpc/client.js";
export type { Compatibility, CompatibilityMode } from "./rpc/compatibility.js";
export { LimitExceeded, RpcError } from "./rpc/errors.js";
export type { AuthorizeEvent, CalledEvent, DeniedEvent, IncomingEvent } from "./rpc/hooks.js";
export type { HttpRoute, RouteReply, RouteRequest } from "./rpc/http-route.js";
export {
  followed,
  type Method,
  type MethodSettings,
  type Methods,
  method,
  raw,
  stream,
} from "./rpc/method.js";
export { createMemoryStorageDriver } from "./storage/memory-store.js";
export { type PluginBatch, PluginTable } from "./storage/plugin-table.js";
export type { KeyValueStore, StorageDriver } from "./storage/store.js";

// Exports no names: makes TypeScript find the types of the other entries when a plugin that imports
// only this one emits declarations.

export type {} from "./async/index.js";
export type {} from "./blocks/index.js";
export type {} from "./chain/index.js";
export type {} from "./cli/index.js";
export type {} from "./codec/index.js";
export type {} from "./consensus/index.js";
export type {} from "./evm/index.js";
export type {} from "./genesis/index.js";
export type {} from "./kernel/index.js";
export type {} from "./network/index.js";
export type {} from "./plugin/index.js";
export type {} from "./pool/index.js";
export type {} from "./primitives/index.js";
export type {} from "./query/index.js";
export type {} from "./rpc/index.js";
export type {} from "./rules/index.js";
export type {} from "./storage/index.js";
