import { describe, expect, it } from "vitest";
import { checkForecast } from "./check-forecast.js";
import { describeDays } from "./describe-days.js";
import { formatBytes } from "./format-bytes.js";
import type { DiskReport } from "./report.js";
import { describeDisk, summarizeDisk } from "./summary.js";

const GIB = 2 ** 30;

it.each([
  [0, "0 B"],
  [312, "312 B"],
  [1023, "1023 B"],
  [1024, "1.00 KiB"],
  [54_525_952, "52.0 MiB"],
  [1.239 * GIB, "1.24 GiB"],
  [250 * GIB, "250 GiB"],
  [5000 * 1024 * GIB, "5000 TiB"],
  [-2048, "-2.00 KiB"],
])("formats %d bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  [0, "less than a day"],
  [1, "about a day"],
  [12, "about 12 days"],
  [729, "about 729 days"],
  [730, "about 2 years"],
  [3650, "more than 10 years"],
])("describes %d days as %s", (days, text) => {
  expect(describeDays(days)).toBe(text);
});

/** A report of 3 GiB with 20 GiB free. */
function reportOf(bytesPerDay?: number): DiskReport {
  const growth = {
    seconds: 604_800,
    blocks: 302_400,
    blocksPerDay: 43_200,
    bytesPerBlock: 100,
    bytesPerTransaction: undefined,
  };
  const daysLeft =
    bytesPerDay !== undefined && bytesPerDay > 0 ? Math.floor((20 * GIB) / bytesPerDay) : undefined;
  return {
    dataPath: "/data",
    groups: [],
    tables: {},
    databaseBytes: 3 * GIB,
    totalBytes: 3 * GIB,
    freeBytes: 20 * GIB,
    diskBytes: 100 * GIB,
    samples: 192,
    growth: bytesPerDay === undefined ? undefined : { ...growth, bytesPerDay },
    forecast: { bytesIn30Days: 0, bytesIn365Days: 0, daysLeft },
  };
}

it.each([
  [undefined, "3.00 GiB, 20.0 GiB free; growth unknown until a day of blocks is measured"],
  [-GIB, "3.00 GiB, 20.0 GiB free; not growing"],
  [2 * GIB, "3.00 GiB, 2.00 GiB more per day, disk full in about 10 days"],
])("describes a growth of %s per day in one line", (bytesPerDay, text) => {
  expect(describeDisk(summarizeDisk(reportOf(bytesPerDay)))).toBe(text);
});

describe("the health check", () => {
  it("is up without a forecast, and with two weeks or more", () => {
    for (const report of [undefined, reportOf(), reportOf(-GIB), reportOf(GIB)]) {
      expect(checkForecast(report)).toEqual({ status: "up" });
    }
  });

  it("is degraded if the disk will be full within two weeks", () => {
    expect(checkForecast(reportOf(2 * GIB))).toEqual({
      status: "degraded",
      detail:
        "the disk will be full in about 10 days: 20.0 GiB are free and 2.00 GiB are added per day; plinth disk shows what takes how much",
    });
  });
});
