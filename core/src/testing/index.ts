export {
  CONFORMANCE,
  isConformanceMissing,
  RECORDED_TRAFFIC,
  VECTORS,
} from "./conformance.js";
export { MAX_SLICE_MS, measureSlices } from "./event-loop-slices.js";
export { FakeClock } from "./fake-clock.js";
export { headerFromJson } from "./header-from-json.js";
export { MemoryNetwork, type MemoryNetworkSettings } from "./memory-network.js";
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
export { createRandom } from "./seeded-random.js";
export { createTempFolder } from "./temp-folder.js";
