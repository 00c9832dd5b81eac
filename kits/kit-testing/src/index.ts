export { ACCOUNTS, ALICE, BOB, CAROL, DAVE, type TestAccount } from "./accounts.js";
export {
  CONFORMANCE,
  isConformanceMissing,
  RECORDED_TRAFFIC,
  VECTORS,
} from "./conformance.js";
export { connectDuplex, type DuplexCaller, type Notification } from "./connect.js";
export { createTestNode, type TestNode, type TestNodeSettings } from "./create-test-node.js";
export {
  DEV_GENESIS,
  devChain,
  signTransaction,
  type TransactionFields,
  transfer,
} from "./dev-chain.js";
export { MAX_SLICE_MS, measureSlices } from "./event-loop-slices.js";
export { FakeClock } from "./fake-clock.js";
export { createGate, type Gate } from "./gate.js";
export { headerFromJson } from "./header-from-json.js";
export { exchangeText, type HttpReply, type HttpRequest, sendHttp } from "./http.js";
export { createInside } from "./inside.js";
export { LOG_GENESIS, LOGGER, signLog } from "./log-chain.js";
export { MemoryNetwork, type MemoryNetworkSettings } from "./memory-network.js";
export type { Mine } from "./mine.js";
export { type LogEntry, recordLogs } from "./record-logs.js";
export {
  pathOf,
  type RecordedMessage,
  type RecordedNode,
  readRecordedChain,
  readRecordedMessages,
  readRecordedNodes,
  recordedScenarios,
} from "./recorded-traffic.js";
export type { Reorganise } from "./reorganise.js";
export type { CommandInput, CommandOutput } from "./run-command.js";
export { createRandom } from "./seeded-random.js";
export { storageDriverContract } from "./storage-driver-contract.js";
export { createTempFolder } from "./temp-folder.js";
export { createTestEvm, type EvmName, evms, testEvm } from "./test-evm.js";
export { toJson } from "./to-json.js";
