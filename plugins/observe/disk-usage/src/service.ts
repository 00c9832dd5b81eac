import { defineService } from "@plinth/core";
import type { DiskReport } from "./report.js";

/** What the data of this node takes on the disk. */
export interface DiskUsage {
  /** Measures now, unless the last measurement is less than a minute old. */
  report(): Promise<DiskReport>;
  /** The last report, at most about an hour old; `undefined` before the first one. */
  latest(): DiskReport | undefined;
}

/** The service of this plugin; not available if the data is in memory. */
export const diskUsage = defineService<DiskUsage>("disk-usage.usage", {
  hint: "@plinth/plugin-disk-usage",
});
