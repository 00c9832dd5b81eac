import { type Compatibility, type Hash, type Hex, toHex } from "@plinth/core";
import type { ReplayedState, StateWatch } from "@plinth/core/chain";
import type { EvmResult, Tracer } from "@plinth/core/evm";
import { combineTracers, FlatTracer, type Sink, yielding } from "@plinth/kit-trace";
import { describeDifferences } from "./parts/state-diff.js";
import { VmTracer } from "./parts/vm-tracer.js";
import type { TraceType } from "./trace-types.js";

/** A single execution; its tracer is created when the state is ready. */
export type Traceable = (
  createTracer: (state: ReplayedState["state"]) => Tracer,
) => Promise<EvmResult>;

/** Which parts of an execution are written, and how. */
export interface ResultSettings {
  readonly types: ReadonlySet<TraceType>;
  readonly compatibility: Compatibility;
  readonly signal: AbortSignal;
  /** Set for a transaction, not for a call. */
  readonly transactionHash?: Hash;
}

/** Executes and writes the requested parts; steps first, because they are available first. */
export async function writeResult(
  traceable: Traceable,
  settings: ResultSettings,
  sink: Sink,
): Promise<void> {
  const { types, compatibility, signal, transactionHash } = settings;
  // A simulated call does not report how a contract would be created.
  const namesCreationMethod = transactionHash !== undefined;
  const hasSteps = types.has("vmTrace");
  const isBesu = compatibility.mode === "besu";
  let watch: StateWatch | undefined;
  let flat: FlatTracer | undefined;
  const result = await traceable((state) => {
    if (types.has("stateDiff")) watch = state.watch();
    if (types.has("trace")) flat = new FlatTracer({ state, compatibility, namesCreationMethod });
    void sink.write(hasSteps ? '{"vmTrace":' : "{");
    const vm = hasSteps ? new VmTracer(state, sink, { isBesu }) : undefined;
    return yielding(combineTracers([flat, vm].filter((tracer) => tracer !== undefined)), signal);
  });
  const members = {
    ...outputOf(result, settings),
    stateDiff: watch === undefined ? null : describeDifferences(watch.differences()),
    trace: flat?.traces() ?? [],
    ...(transactionHash === undefined ? {} : { transactionHash }),
    ...(hasSteps ? {} : { vmTrace: null }),
  };
  await sink.write((hasSteps ? "," : "") + JSON.stringify(members).slice(1));
}

/** A call reports its output or its revert data; for a transaction the two are separate. */
function outputOf(
  { outcome, returnValue }: EvmResult,
  { transactionHash }: ResultSettings,
): { readonly output: Hex; readonly revertReason?: Hex } {
  const output = toHex(returnValue);
  if (outcome !== "reverted" || transactionHash === undefined) return { output };
  return { output: "0x", revertReason: output };
}
