import { t } from "@plinth/core";
import { createRandom } from "@plinth/core/testing";
import { BlockForm, bftSettings } from "@plinth/kit-bft";
import { qbft, qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { beforeAll, describe, expect, it } from "vitest";
import { report } from "../../support/report.js";
import { LIES } from "./byzantine.js";
import { randomSchedule, type Schedule } from "./faults.js";
import { loadMemoisedCrypto, memoised } from "./memoised-crypto.js";
import { shrink } from "./shrink.js";
import { Simulation, Violation } from "./simulation.js";

/** `npm run simulate` runs 5,000. */
const SCHEDULES = Number(process.env.PLINTH_SCHEDULES ?? 100);
const FIRST_SEED = Number(process.env.PLINTH_SEED ?? 1);

const form = {
  dialect: memoised(qbft),
  codec: qbftExtraData,
  form: new BlockForm(qbftExtraData),
  settings: t.object(bftSettings).decode({ requestTimeoutSeconds: 2 }),
};

beforeAll(async () => {
  await loadMemoisedCrypto();
});

describe("validators on a network that fails", () => {
  it(
    `agree in each of ${SCHEDULES} schedules`,
    async () => {
      const rounds: number[] = [];
      for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
        const schedule = randomSchedule(seed, createRandom(seed), LIES);
        rounds.push((await runOrShrink(schedule)).rounds);
      }
      report("rounds after the faults had ended", [Math.max(...rounds)]);
    },
    60_000 + SCHEDULES * 1000,
  );

  it("do the same again for the same seed", async () => {
    const schedule = randomSchedule(7, createRandom(7), LIES);

    expect(await new Simulation(form, schedule).run()).toEqual(
      await new Simulation(form, schedule).run(),
    );
  });
});

/** Runs a schedule; of one that fails it reports the smallest that still does. */
async function runOrShrink(schedule: Schedule) {
  try {
    return await new Simulation(form, schedule).run();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const smallest = await shrink(schedule, async (smaller) => {
      try {
        await new Simulation(form, smaller).run();
        return false;
      } catch (again) {
        return again instanceof Violation;
      }
    });
    throw new Error(`${error.message}\n${JSON.stringify(smallest)}`, { cause: error });
  }
}
