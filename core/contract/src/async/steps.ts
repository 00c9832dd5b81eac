import { type Lane, Yielder } from "./yield-to-loop.js";

/** Work in steps of some milliseconds at most; the caller decides whether other work runs between them. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How work is done in turns with other work. */
export interface TurnSettings {
  readonly lane?: Lane | undefined;
  /** Ends the work with its reason, in a later turn. */
  readonly signal?: AbortSignal;
}

/** Does all of the work at once; `verify` is called between steps, and ends the work by throwing. */
export function runSteps<T>(steps: Steps<T>, verify: () => void = () => {}): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    verify();
  }
}

/** Does the work, and lets others run every 10 ms. */
export async function runInTurns<T>(
  steps: Iterator<unknown, T>,
  { lane, signal }: TurnSettings = {},
): Promise<T> {
  const turns = new Yielder(lane);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (!turns.isDue) continue;
    await turns.yield();
    signal?.throwIfAborted();
  }
}
