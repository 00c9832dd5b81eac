import { type Codec, t } from "@plinth/core";
import type { BlockOverrides, StateOverrides } from "@plinth/core/query";
import { blockOverrides, stateOverrides } from "@plinth/kit-rpc";
import { type TraceOptions, traceOptions } from "./trace-options.js";

/** Options of `debug_traceCall`: those of a trace, and overrides of state and block. */
export interface CallTraceOptions extends TraceOptions {
  readonly stateOverrides: StateOverrides | undefined;
  readonly blockOverrides: BlockOverrides | undefined;
}

const overrides = t.object({
  stateOverrides: t.optional(stateOverrides),
  blockOverrides: t.optional(blockOverrides),
});

/** Decodes the options of a trace, with overrides. */
export const callTraceOptions: Codec<CallTraceOptions> = {
  encode: (value) => value,
  schema: traceOptions.schema,
  decode(json, path, reading) {
    const options = traceOptions.decode(json, path, reading);
    return { ...options, ...overrides.decode(json, path, reading) };
  },
};

/** The defaults. */
export const USUAL_CALL_OPTIONS: CallTraceOptions = callTraceOptions.decode({});
