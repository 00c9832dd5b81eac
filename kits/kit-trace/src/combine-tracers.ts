import type { Tracer } from "@plinth/core/evm";

/** Whether none of several tracers retains the values of a step. */
export function allReadAtOnce(tracers: readonly Tracer[]): boolean {
  return tracers.every(({ step, readsAtOnce }) => step === undefined || readsAtOnce === true);
}

/** Several tracers of one run; a step waits for all of them. */
export function combineTracers(tracers: readonly Tracer[]): Tracer {
  const [only] = tracers;
  if (only !== undefined && tracers.length === 1) return only;
  return {
    readsAtOnce: allReadAtOnce(tracers),
    enter(frame) {
      for (const tracer of tracers) tracer.enter?.(frame);
    },
    step(step) {
      const waits = tracers
        .map((tracer) => tracer.step?.(step))
        .filter((wait) => wait !== undefined);
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
    },
    exit(end) {
      for (const tracer of tracers) tracer.exit?.(end);
    },
  };
}
