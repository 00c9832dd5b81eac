import type { Tracer } from "@plinth/core/evm";
import { FlatTracer, placed, type TracePlace } from "@plinth/kit-trace";
import type { NamedTracer, TracedRun } from "./named-tracer.js";

/** The calls of a transaction in one list, as in the namespace `trace`. */
export class FlatCallTracer implements NamedTracer {
  readonly #flat: FlatTracer;
  readonly #place: TracePlace | undefined;

  constructor({ state, compatibility, place }: TracedRun) {
    this.#flat = new FlatTracer({
      state,
      compatibility,
      namesCreationMethod: place !== undefined,
    });
    this.#place = place;
  }

  get tracer(): Tracer {
    return this.#flat;
  }

  traceOf(): unknown {
    const place = this.#place;
    const traces = this.#flat.traces();
    return place === undefined ? traces : traces.map((trace) => placed(trace, place));
  }
}
