import { type Lane, Yielder } from "./turns.js";

/** Work in steps of some milliseconds at most; the caller decides whether other work runs between them. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all of the work at once; `verify` is called between steps, and ends the work by throwing. */
export function runSteps<T>(steps: Steps<T>, verify: () => void = () => {}): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    verify();
  }
}

/** Does the work, and lets others run every 10 ms. */
export async function runInTurns<T>(steps: Steps<T>, lane?: Lane): Promise<T> {
  const turns = new Yielder(lane);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turns.isDue) await turns.yield();
  }
}
