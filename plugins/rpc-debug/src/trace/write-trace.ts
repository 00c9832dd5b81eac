import type { Compatibility, EvmResult, Tracer } from "@plinth/core";
import { toHex, withoutPrefix } from "@plinth/core";
import { BesuFormat } from "./besu-format.js";
import { GethFormat } from "./geth-format.js";
import { type Sink, yielding } from "./sink.js";
import type { StepFormat } from "./step-format.js";
import { StructLogTracer } from "./struct-logs.js";
import type { TraceOptions } from "./trace-options.js";

/** What a trace is made with. */
export interface TraceSettings {
  readonly options: TraceOptions;
  readonly compatibility: Compatibility;
  /** Whether the block is one after the merge, or of a chain that never had proof of work. */
  readonly isMerged: boolean;
  /** Ends the trace when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** Runs something with a tracer and writes what it heard; struct logs come first, because they come early. */
export async function writeTrace(
  run: (tracer: Tracer) => Promise<EvmResult>,
  settings: TraceSettings,
  sink: Sink,
): Promise<void> {
  const { signal, compatibility } = settings;
  await sink.write('{"structLogs":[');
  const result = await run(yielding(new StructLogTracer(formatOf(settings), sink), signal));
  await sink.write(`],${writeResult(result, compatibility)}}`);
}

function formatOf({ options, compatibility, isMerged }: TraceSettings): StepFormat {
  const { disableMemory, disableStack, disableStorage, enableMemory, enableReturnData } = options;
  const isGeth = compatibility.traces.stepsOf === "geth";
  const shared = { hasStack: !disableStack, hasStorage: !disableStorage, isMerged };
  return isGeth
    ? new GethFormat({ ...shared, hasMemory: enableMemory, hasReturnData: enableReturnData })
    : new BesuFormat({ ...shared, hasMemory: disableMemory !== true, hasReturnData: false });
}

/** The members of a trace beside its steps. */
function writeResult(
  { outcome, gasUsed, returnValue }: EvmResult,
  { traces }: Compatibility,
): string {
  const failed = outcome !== "success";
  const isGeth = traces.stepsOf === "geth";
  const output = toHex(failed && !isGeth ? new Uint8Array() : returnValue);
  const text = isGeth ? output : withoutPrefix(output);
  return `"gas":${gasUsed},"failed":${failed},"returnValue":"${text}"`;
}
