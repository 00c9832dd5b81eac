import type { HealthReport } from "@plinth/core/kernel";
import { FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { StallLog } from "./stall-log.js";

const LATE: HealthReport = {
  status: "degraded",
  checks: [{ plugin: "core", name: "head", status: "degraded", detail: "no block for 60 s" }],
};

describe("the log of a stalled chain", () => {
  it("continues if health cannot be determined, and reports it once", async () => {
    const clock = new FakeClock(1_000_000_000_000);
    const logs = recordLogs();
    let isBroken = true;
    const stallLog = new StallLog({
      ...{ clock, log: logs.for("core"), isSyncing: () => false },
      async report() {
        if (isBroken) throw new Error("no period");
        return LATE;
      },
    });
    const lines = () => logs.entries.map(({ level, message }) => `${level} ${message}`);

    stallLog.start();
    await clock.advance(20_000);
    const broken = lines();
    isBroken = false;
    await clock.advance(10_000);
    stallLog.stop();
    await clock.advance(1_000_000);

    expect(broken).toEqual(["error whether blocks arrive is unknown: no period"]);
    expect(lines()).toEqual([...broken, "warn no block for 60 s"]);
  });
});
