import type { Proposal, RoundChange } from "@plinth/kit-bft";
import { createRandom } from "@plinth/testing";
import { SCHEDULED_LIES } from "./byzantine.js";
import { randomSchedule, type Schedule } from "./faults.js";
import { shrink } from "./shrink.js";
import { type SimulatedEngine, Simulation, Violation } from "./simulation.js";

/** Number of schedules, of all engines; `npm run long -- simulate` runs 20,000. */
export const SCHEDULES = Number(process.env.PLINTH_SCHEDULES ?? 50);

const FIRST_SEED = Number(process.env.PLINTH_SEED ?? 1);

/** Time limit of the schedules. */
export const LIMIT_MS = 60_000 + SCHEDULES * 10_000;

/**
 * Runs the schedules of the given seeds; returns the maximum number of rounds until blocks resumed.
 */
export async function runSchedules<P extends Proposal, R extends RoundChange>(
  engine: SimulatedEngine<P, R>,
  isMeant: (seed: number) => boolean,
): Promise<number> {
  let most = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
    if (!isMeant(seed)) continue;
    const schedule = randomSchedule(seed, createRandom(seed), SCHEDULED_LIES);
    most = Math.max(most, await runOrShrink(engine, schedule));
  }
  return most;
}

/** Runs a schedule; for a failing one it reports the smallest that still fails. */
async function runOrShrink<P extends Proposal, R extends RoundChange>(
  engine: SimulatedEngine<P, R>,
  schedule: Schedule,
): Promise<number> {
  try {
    return (await new Simulation(engine, schedule).run()).rounds;
  } catch (error) {
    if (!(error instanceof Violation) || process.env.PLINTH_SHRINK === "0") throw error;
    const smallest = await shrink(schedule, async (smaller) => {
      try {
        await new Simulation(engine, smaller).run();
        return false;
      } catch (again) {
        return again instanceof Violation;
      }
    });
    throw new Error(`${error.message}\n${JSON.stringify(smallest)}`, { cause: error });
  }
}
