export { connectDuplex, type DuplexCaller, type Notification } from "./callers/connect.js";
export { exchangeText, type HttpReply, type HttpRequest, sendHttp } from "./callers/http.js";
export type { CommandInput, CommandOutput } from "./callers/run-command.js";
export { ACCOUNTS, ALICE, BOB, CAROL, DAVE, type TestAccount } from "./chain/accounts.js";
export {
  DEV_GENESIS,
  devChain,
  signTransaction,
  type TransactionFields,
  transfer,
} from "./chain/dev-chain.js";
export { headerFromJson } from "./chain/header-from-json.js";
export { LOG_GENESIS, LOGGER, signLog } from "./chain/log-chain.js";
export type { Mine } from "./chain/mine.js";
export type { Reorganize } from "./chain/reorganize.js";
export {
  CONFORMANCE,
  isConformanceMissing,
  RECORDED_TRAFFIC,
  VECTORS,
} from "./conformance.js";
export { createTestNode, type TestNode, type TestNodeSettings } from "./create-test-node.js";
export { MAX_SLICE_MS, measureSlices } from "./event-loop-slices.js";
export { createInside } from "./expose-runtime.js";
export { FakeClock } from "./fake-clock.js";
export { createGate, type Gate } from "./gate.js";
export { MemoryNetwork, type MemoryNetworkSettings } from "./network/memory-network.js";
export {
  pathOf,
  type RecordedMessage,
  type RecordedNode,
  readRecordedChain,
  readRecordedMessages,
  readRecordedNodes,
  recordedScenarios,
} from "./network/recorded-traffic.js";
export { type LogEntry, recordLogs } from "./record-logs.js";
export { createRandom } from "./seeded-random.js";
export { type Suite, storageDriverContract } from "./storage-driver-contract.js";
export { createTempFolder } from "./temp-folder.js";
export { createTestEvm, type EvmName, evms, testEvm } from "./test-evm.js";
export { toJson } from "./to-json.js";
