export { CONFORMANCE, isConformanceMissing } from "./conformance.js";
export { FakeClock } from "./fake-clock.js";
export { type LogEntry, recordLogs } from "./record-logs.js";
export { createTempFolder } from "./temp-folder.js";
