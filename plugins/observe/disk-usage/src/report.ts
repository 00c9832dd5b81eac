import { t, type ValueOf } from "@plinth/core";
import { forecastSize } from "./forecast.js";
import { measureGrowth } from "./growth.js";
import { type DiskMeasurement, totalBytes } from "./measure-disk.js";
import type { Sample } from "./samples.js";

const count = t.integer({ min: 0 });

/** The JSON of a report. */
export const diskReport = t.object({
  dataPath: t.text,
  groups: t.array(t.object({ group: t.text, bytes: count })),
  // Estimates, in the database.
  tables: t.record(count),
  // As the file system counts them: the database, and the data folder with it.
  databaseBytes: count,
  totalBytes: count,
  freeBytes: count,
  diskBytes: count,
  samples: t.integer(),
  growth: t.optional(
    t.object({
      seconds: t.integer(),
      blocks: t.integer(),
      blocksPerDay: t.integer(),
      bytesPerDay: t.integer(),
      bytesPerBlock: t.integer(),
      bytesPerTransaction: t.optional(t.integer()),
    }),
  ),
  forecast: t.optional(
    t.object({
      bytesIn30Days: t.integer(),
      bytesIn365Days: t.integer(),
      daysLeft: t.optional(t.integer()),
    }),
  ),
});

/** What takes how much space, how fast it grows, and when the disk is full. */
export type DiskReport = ValueOf<typeof diskReport>;

/** The report of a measurement, with the samples of the node so far. */
export function createDiskReport(
  measured: DiskMeasurement,
  samples: readonly Sample[],
): DiskReport {
  const { dataPath, tables, groups, databaseBytes, freeBytes, diskBytes } = measured;
  const bytes = totalBytes(measured);
  const growth = measureGrowth(samples);
  return {
    dataPath,
    groups: Array.from(groups, ([group, size]) => ({ group, bytes: size })),
    tables: Object.fromEntries(tables),
    databaseBytes,
    totalBytes: bytes,
    freeBytes,
    diskBytes,
    samples: samples.length,
    growth,
    forecast: growth && forecastSize(growth, { bytes, freeBytes }),
  };
}
