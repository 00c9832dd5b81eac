import { describe, expect, it } from "vitest";
import { readBlobSchedule } from "./blob-schedule.js";

describe("the blob schedule of a genesis file", () => {
  it("is that of mainnet by default", () => {
    const schedule = readBlobSchedule({});

    expect(schedule.at("shanghai", 0n)).toBeUndefined();
    expect(schedule.at("cancun", 0n)).toMatchObject({ target: 3n, max: 6n });
    expect(schedule.at("osaka", 0n)).toMatchObject({ target: 6n, max: 9n, hasReservePrice: true });
  });

  it("may override the counts, in any case, and change them at times", () => {
    const schedule = readBlobSchedule({
      BlobSchedule: { Cancun: counts(1), prague: counts(2), bpo1: counts(7), bpo2: counts(4) },
      bpo2Time: "0x64",
      bpo1Time: 50,
    });

    const targets = (["cancun", "prague", "osaka"] as const).map((fork) => schedule.at(fork, 49n));
    expect(targets.map((rules) => rules?.target)).toEqual([1n, 2n, 2n]);
    expect(schedule.at("osaka", 50n)).toMatchObject({ target: 7n, max: 14n, updateFraction: 70n });
    expect(schedule.at("osaka", 100n)?.target).toBe(4n);
  });

  it.each([
    [{ bpo1Time: 5 }, "config.blobSchedule.bpo1 is missing for bpo1Time"],
    [
      { blobSchedule: { cancun: { target: 1, max: 2 } } },
      "cancun.baseFeeUpdateFraction is undefined",
    ],
    [{ blobSchedule: { prague: { ...counts(1), max: "many" } } }, 'prague.max is "many"'],
  ])("is rejected with the invalid key: %j", (config, text) => {
    expect(() => readBlobSchedule(config)).toThrow(text);
  });
});

function counts(target: number) {
  return { target, max: target * 2, baseFeeUpdateFraction: target * 10 };
}
