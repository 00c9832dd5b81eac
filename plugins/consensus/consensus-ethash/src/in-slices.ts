import { nextTurn } from "@plinth/core";

/** So long others wait at most. */
const SLICE_MS = 10;

/** Does work step by step and lets others run in between; stops when the signal aborts. */
export async function inSlices(steps: Iterator<unknown>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      if (steps.next().done === true) return;
    }
    await nextTurn();
    signal?.throwIfAborted();
  }
}
