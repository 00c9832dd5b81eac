import { type Lane, Yielder } from "./yield-to-loop.js";

/**
 * Work in steps of a few milliseconds at most; the caller decides whether other work runs between
 * them.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How work in steps shares the event loop. */
export interface TurnSettings {
  readonly lane?: Lane | undefined;
  /** Aborts the work with its reason, in a later turn. */
  readonly signal?: AbortSignal;
}

/**
 * Runs all steps synchronously; `verify` is called between steps and aborts the work by throwing.
 */
export function runSteps<T>(steps: Steps<T>, verify: () => void = () => {}): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    verify();
  }
}

/** Runs all steps, yielding to the event loop every 10 ms. */
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
