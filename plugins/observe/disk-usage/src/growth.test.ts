import { describe, expect, it } from "vitest";
import { forecastSize } from "./forecast.js";
import { measureGrowth } from "./growth.js";
import type { Sample } from "./samples.js";

const HOUR = 3600;
const DAY = 86_400;

/** Samples every hour of a chain with a block every 2 s, 100 bytes and half a transaction each. */
function hourly(hours: number, change: (sample: Sample) => Partial<Sample> = () => ({})): Sample[] {
  return Array.from({ length: hours + 1 }, (_, hour) => {
    const sample = {
      time: 1_700_000_000 + hour * HOUR,
      number: 1 + hour * 1800,
      timestamp: 1_700_000_000 + hour * HOUR,
      bytes: 5_000_000 + hour * 180_000,
      transactions: hour === 0 ? undefined : 900,
    };
    return { ...sample, ...change(sample) };
  });
}

describe("the growth", () => {
  it.each([
    ["nothing", []],
    ["one sample", hourly(0)],
    ["less than a day", hourly(23)],
    ["a chain without new blocks", hourly(30, () => ({ number: 1, timestamp: 1_700_000_000 }))],
    ["block 0", [{ ...hourly(0)[0], number: 0, timestamp: 0 } as Sample, ...hourly(5)]],
  ])("is unknown after %s", (_, samples) => {
    expect(measureGrowth(samples)).toBeUndefined();
  });

  it("is measured per block, transaction and day", () => {
    expect(measureGrowth(hourly(24))).toEqual({
      seconds: DAY,
      blocks: 43_200,
      blocksPerDay: 43_200,
      bytesPerDay: 4_320_000,
      bytesPerBlock: 100,
      bytesPerTransaction: 200,
    });
  });

  it("is that of the last seven days", () => {
    const first = 1_700_000_000;
    const samples = hourly(240, ({ timestamp }) =>
      timestamp < first + 2 * DAY ? { bytes: 0 } : {},
    );

    expect(measureGrowth(samples)).toMatchObject({ seconds: 7 * DAY, bytesPerBlock: 100 });
  });

  it("follows the time of blocks while a node synchronizes", () => {
    // A year of blocks within an hour.
    const [before] = hourly(0) as [Sample];
    const after = {
      time: before.time + HOUR,
      number: before.number + 365 * 43_200,
      timestamp: before.timestamp + 365 * DAY,
      bytes: before.bytes + 365 * 4_320_000,
      transactions: 0,
    };

    expect(measureGrowth([before, after])).toMatchObject({
      blocksPerDay: 43_200,
      bytesPerDay: 4_320_000,
      bytesPerTransaction: undefined,
    });
  });

  it("per transaction covers only counted transactions", () => {
    const samples = hourly(30, ({ time }) => (time % 7 === 0 ? { transactions: undefined } : {}));

    expect(measureGrowth(samples)?.bytesPerTransaction).toBe(200);
  });
});

describe("the forecast", () => {
  it("extends the growth until the disk is full", () => {
    const space = { bytes: 1000, freeBytes: 1250 };

    expect(forecastSize({ bytesPerDay: 100 }, space)).toEqual({
      bytesIn30Days: 4000,
      bytesIn365Days: 37_500,
      daysLeft: 12,
    });
  });

  it("has no end if the data shrinks", () => {
    const space = { bytes: 1000, freeBytes: 1250 };

    expect(forecastSize({ bytesPerDay: -10 }, space)).toEqual({
      bytesIn30Days: 700,
      bytesIn365Days: 0,
      daysLeft: undefined,
    });
  });
});
