import type { Schedule } from "./faults.js";

/**
 * Shrinks a failing schedule while it still fails: fewer faults, fewer liars, better conditions.
 */
export async function shrink(
  schedule: Schedule,
  fails: (smaller: Schedule) => Promise<boolean>,
): Promise<Schedule> {
  for (const smaller of simplerThan(schedule)) {
    if (await fails(smaller)) return shrink(smaller, fails);
  }
  return schedule;
}

function* simplerThan(schedule: Schedule): Generator<Schedule> {
  for (const [index, lies] of Object.entries(schedule.byzantine)) {
    const { [Number(index)]: _, ...byzantine } = schedule.byzantine;
    yield { ...schedule, byzantine };
    if (lies.length < 2) continue;
    for (const lie of lies) {
      yield {
        ...schedule,
        byzantine: { ...byzantine, [index]: lies.filter((one) => one !== lie) },
      };
    }
  }
  for (const index of schedule.faults.keys()) {
    yield { ...schedule, faults: schedule.faults.toSpliced(index, 1) };
  }
  for (const index of schedule.transitions.keys()) {
    yield { ...schedule, transitions: schedule.transitions.toSpliced(index, 1) };
  }
  const { weather } = schedule;
  if (weather.loss > 0) yield { ...schedule, weather: { ...weather, loss: 0 } };
  if (weather.duplication > 0) yield { ...schedule, weather: { ...weather, duplication: 0 } };
  if (weather.jitterMs > 0) yield { ...schedule, weather: { ...weather, jitterMs: 0 } };
}
