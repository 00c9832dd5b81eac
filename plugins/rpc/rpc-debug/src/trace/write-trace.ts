import { type Compatibility, toHex, withoutPrefix } from "@plinth/core";
import type { EvmResult, Tracer } from "@plinth/core/evm";
import { type Sink, yielding } from "@plinth/kit-trace";
import { DIFFERENCES } from "../differences.js";
import { createTracer } from "../tracers/create-tracer.js";
import type { NamedTracer, TracedRun } from "../tracers/named-tracer.js";
import { BesuFormat } from "./besu-format.js";
import { GethFormat } from "./geth-format.js";
import type { StepFormat } from "./step-format.js";
import { StructLogTracer } from "./struct-logs.js";
import type { TraceOptions } from "./trace-options.js";

/** Context of a trace. */
export interface TraceSettings {
  readonly options: TraceOptions;
  readonly compatibility: Compatibility;
  /** Whether the block is after the merge, or of a chain that never had proof of work. */
  readonly isMerged: boolean;
  /** Aborts the trace when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** A single execution; its tracer is created when everything else is ready. */
export type Traceable = (createTracer: (run: TracedRun) => Tracer) => Promise<EvmResult>;

/** Runs it with the requested tracer and writes the result. */
export async function writeTrace(
  traceable: Traceable,
  settings: TraceSettings,
  sink: Sink,
): Promise<void> {
  const { options, compatibility, signal } = settings;
  if (options.tracer === undefined || !DIFFERENCES[compatibility.mode].knowsTracers) {
    await writeSteps(traceable, settings, sink);
    return;
  }
  const { tracer: name, tracerConfig } = options;
  let named: NamedTracer | undefined;
  const result = await traceable((run) => {
    named = createTracer(name, tracerConfig, run);
    return yielding(named.tracer, signal);
  });
  await sink.write(JSON.stringify(named?.traceOf(result)));
}

/** Steps come first because they are available first. */
async function writeSteps(
  traceable: Traceable,
  settings: TraceSettings,
  sink: Sink,
): Promise<void> {
  const { signal, compatibility, options } = settings;
  const steps = new StructLogTracer(formatOf(settings), sink, { limit: options.limit });
  const result = await traceable(() => {
    void sink.write('{"structLogs":[');
    return yielding(steps, signal);
  });
  await sink.write(`],${writeResult(result, compatibility)}}`);
}

function formatOf({ options, compatibility, isMerged }: TraceSettings): StepFormat {
  const { disableMemory, disableStack, disableStorage, enableMemory, enableReturnData } = options;
  const isGeth = DIFFERENCES[compatibility.mode].stepsOf === "geth";
  const shared = { hasStack: !disableStack, hasStorage: !disableStorage, isMerged };
  return isGeth
    ? new GethFormat({ ...shared, hasMemory: enableMemory, hasReturnData: enableReturnData })
    : new BesuFormat({ ...shared, hasMemory: disableMemory !== true, hasReturnData: false });
}

/** The fields of a trace besides its steps. */
function writeResult(
  { outcome, gasUsed, returnValue }: EvmResult,
  { mode }: Compatibility,
): string {
  const failed = outcome !== "success";
  const isGeth = DIFFERENCES[mode].stepsOf === "geth";
  const output = toHex(failed && !isGeth ? new Uint8Array() : returnValue);
  const text = isGeth ? output : withoutPrefix(output);
  return `"gas":${gasUsed},"failed":${failed},"returnValue":"${text}"`;
}
