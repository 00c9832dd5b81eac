import { t, type ValueOf } from "@plinth/core";
import { describeDays } from "./describe-days.js";
import { formatBytes } from "./format-bytes.js";
import type { DiskReport } from "./report.js";

/** The JSON of a summary; without a rate until a day of blocks was measured. */
export const diskSummary = t.object({
  totalBytes: t.integer(),
  freeBytes: t.integer(),
  bytesPerDay: t.optional(t.integer()),
  daysLeft: t.optional(t.integer()),
});

/** The figures of a report that operators check first. */
export type DiskSummary = ValueOf<typeof diskSummary>;

/** Summarizes a report. */
export function summarizeDisk(report: DiskReport): DiskSummary {
  const { totalBytes, freeBytes, growth, forecast } = report;
  return {
    totalBytes,
    freeBytes,
    bytesPerDay: growth?.bytesPerDay,
    daysLeft: forecast?.daysLeft,
  };
}

/** A summary as text: `3.10 GiB, 52.0 MiB more per day, disk full in about 400 days`. */
export function describeDisk(summary: DiskSummary): string {
  return `${formatBytes(summary.totalBytes)}, ${describeGrowth(summary)}`;
}

function describeGrowth({ bytesPerDay, daysLeft, freeBytes }: DiskSummary): string {
  const free = `${formatBytes(freeBytes)} free`;
  if (bytesPerDay === undefined) return `${free}; growth unknown until a day of blocks is measured`;
  if (daysLeft === undefined) return `${free}; not growing`;
  return `${formatBytes(bytesPerDay)} more per day, disk full in ${describeDays(daysLeft)}`;
}
