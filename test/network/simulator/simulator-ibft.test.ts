import { beforeAll, describe, expect, it } from "vitest";
import { report } from "../../support/report.js";
import { IBFT } from "./engines.js";
import { LIMIT_MS, runSchedules, SCHEDULES } from "./run-schedules.js";
import { loadSimulatedCrypto } from "./simulated-signatures.js";
import { Simulation } from "./simulation.js";

beforeAll(async () => {
  await loadSimulatedCrypto();
});

describe("IBFT 2.0 validators on a failing network", () => {
  it(
    `agree in one third of ${SCHEDULES} schedules`,
    async () => {
      const rounds = await runSchedules(IBFT, (seed) => seed % 3 === 0);

      report("rounds of IBFT 2.0 after the faults had ended", [rounds]);
    },
    LIMIT_MS,
  );

  it("request a block that got lost on its way to half of them", async () => {
    const weather = { delayMs: 50, jitterMs: 0, loss: 0.3400227756239474, duplication: 0 };
    const schedule = { seed: 1695, validators: 4, byzantine: { 2: ["silent"] }, weather };

    const { rounds } = await new Simulation(IBFT, {
      ...schedule,
      faults: [],
      transitions: [],
      endsAt: 20_000,
    }).run();

    expect(rounds).toBeLessThan(3);
  });
});
