import type { EvmResult, Tracer } from "@plinth/core/evm";
import { combineTracers } from "@plinth/kit-trace";
import { CallTracer } from "./call-tracer.js";
import { FlatCallTracer } from "./flat-call-tracer.js";
import { FourByteTracer } from "./four-byte-tracer.js";
import type { NamedTracer, TracedRun } from "./named-tracer.js";
import { PrestateTracer } from "./prestate-tracer.js";

type Create = (config: object, run: TracedRun) => NamedTracer;

const TRACERS: Readonly<Record<string, Create>> = {
  "4byteTracer": () => new FourByteTracer(),
  callTracer: (config, run) =>
    new CallTracer(
      { onlyTopCall: flag(config, "onlyTopCall"), withLog: flag(config, "withLog") },
      run,
    ),
  flatCallTracer: (_, run) => new FlatCallTracer(run),
  muxTracer: (config, run) => new MuxTracer(config, run),
  noopTracer: () => ({ tracer: {}, traceOf: () => ({}) }),
  prestateTracer: (config, run) =>
    new PrestateTracer(
      {
        diffMode: flag(config, "diffMode"),
        disableCode: flag(config, "disableCode"),
        disableStorage: flag(config, "disableStorage"),
      },
      run,
    ),
};

/** Whether a tracer of that name exists; for a combination, all of them must. */
export function isKnownTracer(name: string, config: object): boolean {
  if (!Object.hasOwn(TRACERS, name)) return false;
  if (name !== "muxTracer") return true;
  return Object.entries(config).every(([inner, own]) => isKnownTracer(inner, Object(own)));
}

/** Creates a tracer by name; throws if it is unknown. */
export function createTracer(name: string, config: object, run: TracedRun): NamedTracer {
  const create = Object.hasOwn(TRACERS, name) ? TRACERS[name] : undefined;
  if (create === undefined) throw new RangeError(`unknown tracer ${name}`);
  return create(config, run);
}

/** Several tracers at once, each with its result under its name. */
class MuxTracer implements NamedTracer {
  readonly #inner: ReadonlyMap<string, NamedTracer>;
  readonly tracer: Tracer;

  constructor(config: object, run: TracedRun) {
    this.#inner = new Map(
      Object.entries(config).map(([name, own]) => [name, createTracer(name, Object(own), run)]),
    );
    this.tracer = combineTracers([...this.#inner.values()].map(({ tracer }) => tracer));
  }

  traceOf(result: EvmResult): unknown {
    return Object.fromEntries(
      [...this.#inner].map(([name, inner]) => [name, inner.traceOf(result)]),
    );
  }
}

function flag(config: object, name: string): boolean {
  return Reflect.get(config, name) === true;
}
