export { Blockchain, type CallLimits } from "./blockchain/blockchain.js";
export { buildOptions } from "./build/options.js";
export type { LeftOut } from "./build/select-transactions.js";
export { convertIfWanted } from "./convert/convert-if-wanted.js";
export { EvmPool } from "./evm/evm-pool.js";
export { type SerialEvm, serialEvm } from "./evm/serial-evm.js";
export {
  chooseFormat,
  openStates,
  openStatesAtRest,
  openStatesToRead,
  type StateSettings,
} from "./flat/open-states.js";
export { STATE_FORMATS, type StateFormat } from "./flat/state-format.js";
export { rebuildTries } from "./flat/tries/rebuild-tries.js";
export { beginNow } from "./genesis/begin-now.js";
export { checkChain } from "./genesis/checks/index.js";
export { AccountsInMemory, type AllocFacts } from "./genesis/genesis-accounts.js";
export { genesisBody, readGenesisHeader } from "./genesis/genesis-block.js";
export { GenesisState } from "./genesis/genesis-state.js";
export { scanMembers } from "./genesis/scan-members.js";
export { verifyGenesis } from "./genesis/verify-genesis.js";
export { blobFeeOf, blobGasOf } from "./import/blob-gas.js";
export type { OwnBlock } from "./import/importer.js";
export { collectRequests, requestsHash } from "./import/requests.js";
export { BEACON_ROOTS, BLOCK_HASHES, callSystem, keepHistory } from "./import/system-calls.js";
export { applyWithdrawals } from "./import/withdraw.js";
export { joinChain } from "./join/join-chain.js";
export type { JoinSettings } from "./join/join-context.js";
export { verifyJoinedBlock } from "./join/joined-block.js";
export { findJoining, verifyNotJoining } from "./join/joining-record.js";
export { poolOptions } from "./pool/options.js";
export type { PoolContext } from "./pool/pool-context.js";
export { PoolRecord } from "./pool/pool-record.js";
export { type PoolSettings, readPoolSettings } from "./pool/settings.js";
export { TransactionPool } from "./pool/transaction-pool.js";
export { simulateCall, verifyOutput } from "./query/call.js";
export { estimateGas } from "./query/estimate-gas.js";
export { coreQueries } from "./query/queries.js";
export { applyOverrides } from "./query/state-overrides.js";
export { type BuiltNode, TrieBuilder } from "./state/build-trie.js";
export { PluginStates } from "./state/plugin-state.js";
export { proveEdges } from "./state/ranges/prove-range.js";
export { entriesFrom, type TrieEntry } from "./state/ranges/trie-range.js";
export {
  type ClaimedRange,
  InvalidRange,
  type VerifiedRange,
  verifyRange,
} from "./state/ranges/verify-range.js";
export type { StateSource, StateTries } from "./state/state-source.js";
export { StateStore } from "./state/state-store.js";
export {
  decodeAccount,
  decodeSlotValue,
  encodeAccount,
  encodeSlotValue,
} from "./state/state-values.js";
export { ChainStore } from "./store/chain-store.js";
export { findJoinedAt } from "./store/joined-at.js";
export { HEAD_MARKER_FILE, HeadMarker } from "./stored/head-marker.js";
export { StoredDatabase } from "./stored/stored-database.js";
export { verifyMarkedHead } from "./stored/verify-marked-head.js";
export { problemsOfBlock, problemsOfHeader } from "./verify/verify-blocks.js";
export { StateWalk } from "./verify/verify-state.js";
export { findFlatRoot } from "./verify/walked-states.js";
