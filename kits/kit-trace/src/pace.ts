import { Yielder } from "@plinth/core";
import type { Tracer, TraceStep } from "@plinth/core/evm";
import { Abandoned } from "./abandoned.js";
import { allReadAtOnce } from "./combine-tracers.js";

/** How long a trace may occupy the thread. */
const MAX_BUSY_MS = 5;

/** Keeps long work cooperative: yields to the event loop periodically, and ends it when the caller disconnects. */
export class Pace {
  readonly #signal: AbortSignal;
  readonly #yielder = new Yielder("guest", MAX_BUSY_MS);

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * A promise to await when it is time to yield; rejects with `Abandoned` if the caller has
   * disconnected.
   */
  rest(): Promise<void> | undefined {
    return this.#yielder.isDue ? this.#rest() : undefined;
  }

  async #rest(): Promise<void> {
    await this.#yielder.yield();
    if (this.#signal.aborted) throw new Abandoned();
  }
}

/** A tracer that yields between steps. */
export function yielding(tracer: Tracer, signal: AbortSignal): Tracer {
  const pace = new Pace(signal);
  return {
    readsAtOnce: allReadAtOnce([tracer]),
    ...(tracer.enter && { enter: (frame) => tracer.enter?.(frame) }),
    ...(tracer.exit && { exit: (end) => tracer.exit?.(end) }),
    step(step: TraceStep) {
      const waiting = tracer.step?.(step);
      return waiting === undefined ? pace.rest() : waiting.then(() => pace.rest());
    },
  };
}
