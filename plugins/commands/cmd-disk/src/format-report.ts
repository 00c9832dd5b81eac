import { type DiskReport, describeDays, formatBytes, GROUPS } from "@plinth/plugin-disk-usage/api";

const LABEL = 30;
const SIZE = 10;
const SHARE = 8;
const BAR = 30;
const INDENT = "          ";

/** A table of the groups, followed by the growth and the forecast. */
export function formatReport(report: DiskReport): string {
  const { totalBytes, databaseBytes, freeBytes, diskBytes } = report;
  const inTables = Object.values(report.tables).reduce((sum, bytes) => sum + bytes, 0);
  return [
    ...listGroups(report)
      .filter(([, bytes]) => bytes > 0)
      .map(([title, bytes]) => formatRow(title, bytes, totalBytes)),
    "",
    formatRow("Tables, estimated", inTables),
    formatRow("Files of the database", databaseBytes),
    formatRow("Data folder", totalBytes),
    `${formatRow("Free on the disk", freeBytes)} of ${formatBytes(diskBytes)}`,
    "",
    ...formatGrowth(report),
  ].join("\n");
}

/** The sizes of all groups by title; a later version of the node may have more groups. */
function listGroups({ groups, totalBytes }: DiskReport): readonly (readonly [string, number])[] {
  const sizes = new Map(groups.map(({ group, bytes }) => [group, bytes]));
  const known = Object.entries(GROUPS).map(
    ([group, title]) => [title, sizes.get(group) ?? 0] as const,
  );
  const rest = known.reduce((bytes, [, size]) => bytes - size, totalBytes);
  return [...known, ["Unknown to this version", rest]];
}

function formatRow(label: string, bytes: number, total?: number): string {
  const start = `${label.padEnd(LABEL)}${formatBytes(bytes).padStart(SIZE)}`;
  if (total === undefined) return start;
  const share = total === 0 ? 0 : Math.min(1, bytes / total);
  const percent = `${(share * 100).toFixed(1)} %`.padStart(SHARE);
  return `${start}${percent}  ${"#".repeat(Math.round(share * BAR))}`.trimEnd();
}

function formatGrowth({ growth, forecast, samples }: DiskReport): readonly string[] {
  if (growth === undefined || forecast === undefined) {
    const taken = `${samples} ${samples === 1 ? "sample" : "samples"}`;
    return [
      `Growth    unknown: ${taken} so far, for less than a day of blocks.`,
      `${INDENT}A running node takes one every hour.`,
    ];
  }
  const { blocks, seconds, blocksPerDay, bytesPerBlock, bytesPerTransaction } = growth;
  const perTransaction =
    bytesPerTransaction === undefined
      ? ""
      : `, ${formatBytes(bytesPerTransaction)} per transaction`;
  const days = (seconds / 86_400).toFixed(1);
  return [
    `Growth    ${formatBytes(growth.bytesPerDay)} per day at ${blocksPerDay.toLocaleString("en")} blocks per day;`,
    `${INDENT}${formatBytes(bytesPerBlock)} per block${perTransaction}`,
    `${INDENT}(measured over ${blocks.toLocaleString("en")} blocks in ${days} days)`,
    `Forecast  ${formatBytes(forecast.bytesIn30Days)} in 30 days, ${formatBytes(forecast.bytesIn365Days)} in 365 days;`,
    `${INDENT}${describeEnd(forecast.daysLeft)}`,
  ];
}

function describeEnd(daysLeft: number | undefined): string {
  return daysLeft === undefined
    ? "the data is not growing"
    : `the disk is full in ${describeDays(daysLeft)}`;
}
