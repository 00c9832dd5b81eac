export { describeDays } from "./describe-days.js";
export { formatBytes } from "./format-bytes.js";
export { GROUPS } from "./groups.js";
export { DATABASE, measureDisk } from "./measure-disk.js";
export { createDiskReport, type DiskReport, diskReport } from "./report.js";
export { readSamples, SAMPLES_TABLE } from "./samples.js";
export { type DiskUsage, diskUsage } from "./service.js";
export { type DiskSummary, describeDisk, diskSummary, summarizeDisk } from "./summary.js";
