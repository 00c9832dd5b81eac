import type { Health } from "@plinth/core";
import { describeDays } from "./describe-days.js";
import { formatBytes } from "./format-bytes.js";
import type { DiskReport } from "./report.js";

/** Enough time to order and install a larger disk. */
const MIN_DAYS = 14;

/** Whether the disk has space for the growth of the next two weeks. */
export function checkForecast(report: DiskReport | undefined): Health {
  const { growth, forecast, freeBytes = 0 } = report ?? {};
  const days = forecast?.daysLeft;
  if (growth === undefined || days === undefined || days >= MIN_DAYS) return { status: "up" };
  const left = `${formatBytes(freeBytes)} are free and ${formatBytes(growth.bytesPerDay)} are added per day`;
  const detail = `the disk will be full in ${describeDays(days)}: ${left}; plinth disk shows what takes how much`;
  return { status: "degraded", detail };
}
