export {
  CONFORMANCE,
  isConformanceMissing,
  isTrafficMissing,
  RECORDED_TRAFFIC,
} from "./conformance.js";
export { FakeClock } from "./fake-clock.js";
export { headerFromJson } from "./header-from-json.js";
export { MemoryNetwork, type MemoryNetworkSettings } from "./memory-network.js";
export { type LogEntry, recordLogs } from "./record-logs.js";
export { createRandom } from "./seeded-random.js";
export { createTempFolder } from "./temp-folder.js";
