import { createRandom } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { report } from "../../support/report.js";
import { SCHEDULED_LIES } from "./byzantine.js";
import { QBFT } from "./engines.js";
import { randomSchedule } from "./faults.js";
import { LIMIT_MS, runSchedules, SCHEDULES } from "./run-schedules.js";
import { loadSimulatedCrypto } from "./simulated-signatures.js";
import { Simulation } from "./simulation.js";

beforeAll(async () => {
  await loadSimulatedCrypto();
});

describe("QBFT validators on a failing network", () => {
  it(
    `agree in two thirds of ${SCHEDULES} schedules`,
    async () => {
      const rounds = await runSchedules(QBFT, (seed) => seed % 3 !== 0);

      report("rounds of QBFT after the faults had ended", [rounds]);
    },
    LIMIT_MS,
  );

  it("behave the same for the same seed", async () => {
    const schedule = randomSchedule(7, createRandom(7), SCHEDULED_LIES);

    expect(await new Simulation(QBFT, schedule).run()).toEqual(
      await new Simulation(QBFT, schedule).run(),
    );
  });
});
