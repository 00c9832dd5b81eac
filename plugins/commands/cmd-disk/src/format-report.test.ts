import type { DiskReport } from "@plinth/plugin-disk-usage/api";
import { expect, it } from "vitest";
import { formatReport } from "./format-report.js";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

const REPORT: DiskReport = {
  dataPath: "/data",
  groups: [
    { group: "blocks", bytes: 600 * MIB },
    { group: "receipts", bytes: 300 * MIB },
    { group: "state-values", bytes: 0 },
    { group: "database", bytes: 100 * MIB },
    { group: "files", bytes: 4096 },
  ],
  tables: { bodies: 600 * MIB, receipts: 300 * MIB },
  databaseBytes: 1000 * MIB,
  totalBytes: 1000 * MIB + 4096,
  freeBytes: 50 * GIB,
  diskBytes: 100 * GIB,
  samples: 192,
  growth: {
    seconds: 604_800,
    blocks: 302_400,
    blocksPerDay: 43_200,
    bytesPerDay: 512 * MIB,
    bytesPerBlock: 12_427,
    bytesPerTransaction: 620,
  },
  forecast: { bytesIn30Days: 16 * GIB, bytesIn365Days: 183.5 * GIB, daysLeft: 100 },
};

it("shows groups with their shares, then growth and forecast", () => {
  expect(formatReport(REPORT)).toBe(
    `
Blocks                           600 MiB  60.0 %  ##################
Receipts                         300 MiB  30.0 %  #########
Log and file indexes             100 MiB  10.0 %  ###
Other files                     4.00 KiB   0.0 %

Tables, estimated                900 MiB
Files of the database           1000 MiB
Data folder                     1000 MiB
Free on the disk                50.0 GiB of 100 GiB

Growth    512 MiB per day at 43,200 blocks per day;
          12.1 KiB per block, 620 B per transaction
          (measured over 302,400 blocks in 7.0 days)
Forecast  16.0 GiB in 30 days, 184 GiB in 365 days;
          the disk is full in about 100 days
`.trim(),
  );
});

it("states that there are too few samples for a forecast", () => {
  const { growth: _, forecast: __, ...rest } = REPORT;
  const text = formatReport({ ...rest, samples: 1, growth: undefined, forecast: undefined });

  expect(text).toContain("Growth    unknown: 1 sample so far, for less than a day");
  expect(text).not.toContain("Forecast");
});

it("states that data does not grow, and shows what a later version of the node reports", () => {
  const text = formatReport({
    ...REPORT,
    groups: [...REPORT.groups, { group: "\u001b[31mnew", bytes: 1000 * MIB }],
    totalBytes: 2000 * MIB + 4096,
    growth: REPORT.growth && { ...REPORT.growth, bytesPerTransaction: undefined },
    forecast: { bytesIn30Days: 0, bytesIn365Days: 0, daysLeft: undefined },
  });

  expect(text).toMatch(/^Unknown to this version +1000 MiB {2}50\.0 %/m);
  expect(text).toContain("the data is not growing");
  expect(text).not.toContain("per transaction");
});
