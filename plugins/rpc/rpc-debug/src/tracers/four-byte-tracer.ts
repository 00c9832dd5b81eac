import { toHex } from "@plinth/core";
import type { TraceFrame, Tracer } from "@plinth/core/evm";
import type { NamedTracer } from "./named-tracer.js";

const SELECTOR_BYTES = 4;

/** Counts function selectors together with the size of their call data. */
export class FourByteTracer implements NamedTracer {
  readonly #counts = new Map<string, number>();

  readonly tracer: Tracer = { enter: (frame) => this.#enter(frame) };

  traceOf(): unknown {
    return Object.fromEntries(this.#counts);
  }

  #enter({ to, input, isPrecompile }: TraceFrame): void {
    if (to === undefined || isPrecompile || input.length < SELECTOR_BYTES) return;
    const selector = toHex(input.subarray(0, SELECTOR_BYTES));
    const name = `${selector}-${input.length - SELECTOR_BYTES}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}
