import { t } from "@plinth/core";
import { createRandom } from "@plinth/core/testing";
import { BlockForm, bftSettings } from "@plinth/kit-bft";
import { ibft, ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbft, qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { beforeAll, describe, expect, it } from "vitest";
import { report } from "../../support/report.js";
import { LIES } from "./byzantine.js";
import { randomSchedule, type Schedule } from "./faults.js";
import { loadMemoisedCrypto, memoised } from "./memoised-crypto.js";
import { shrink } from "./shrink.js";
import { type Outcome, Simulation, Violation } from "./simulation.js";

/** `npm run simulate` runs 5,000. */
const SCHEDULES = Number(process.env.PLINTH_SCHEDULES ?? 100);
const FIRST_SEED = Number(process.env.PLINTH_SEED ?? 1);

const settings = t.object(bftSettings).decode({ requestTimeoutSeconds: 2 });
const QBFT = {
  dialect: memoised(qbft),
  codec: qbftExtraData,
  form: new BlockForm(qbftExtraData),
  settings,
};
const IBFT = {
  dialect: memoised(ibft),
  codec: ibftExtraData,
  form: new BlockForm(ibftExtraData),
  settings,
};

beforeAll(async () => {
  await loadMemoisedCrypto();
});

describe("validators on a network that fails", () => {
  it(
    `agree in each of ${SCHEDULES} schedules, two thirds of them with QBFT`,
    async () => {
      const rounds: number[] = [];
      for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
        const schedule = randomSchedule(seed, createRandom(seed), LIES);
        const run = (each: Schedule) =>
          seed % 3 === 0 ? new Simulation(IBFT, each).run() : new Simulation(QBFT, each).run();
        rounds.push((await runOrShrink(schedule, run)).rounds);
      }
      report("rounds after the faults had ended", [Math.max(...rounds)]);
    },
    60_000 + SCHEDULES * 10_000,
  );

  it("ask for a block that got lost on its way to half of them", async () => {
    const loss = { delayMs: 50, jitterMs: 0, loss: 0.3400227756239474, duplication: 0 };
    const schedule = { seed: 1695, validators: 4, byzantine: { 2: "silent" }, weather: loss };

    const { rounds } = await new Simulation(IBFT, {
      ...schedule,
      faults: [],
      endsAt: 20_000,
    }).run();

    expect(rounds).toBeLessThan(3);
  });

  it("do the same again for the same seed", async () => {
    const schedule = randomSchedule(7, createRandom(7), LIES);

    expect(await new Simulation(QBFT, schedule).run()).toEqual(
      await new Simulation(QBFT, schedule).run(),
    );
  });
});

/** Runs a schedule; of one that fails it reports the smallest that still does. */
async function runOrShrink(schedule: Schedule, run: (each: Schedule) => Promise<Outcome>) {
  try {
    return await run(schedule);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const smallest = await shrink(schedule, async (smaller) => {
      try {
        await run(smaller);
        return false;
      } catch (again) {
        return again instanceof Violation;
      }
    });
    throw new Error(`${error.message}\n${JSON.stringify(smallest)}`, { cause: error });
  }
}
