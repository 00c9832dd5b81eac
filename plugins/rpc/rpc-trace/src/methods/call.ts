import { method, t } from "@plinth/core";
import { callRequest, getHeader } from "@plinth/kit-rpc";
import { optionalBlock } from "@plinth/kit-trace";
import { type CallCaller, traceCall } from "../call-results.js";
import { CALL, CALL_RESULT } from "../examples.js";
import { traceTypes } from "../trace-types.js";

/** `trace_call`: traces a call on the state after a block. */
export const call = method({
  offload: "long",
  summary: "Traces a call on the state after a block: its calls, state changes and instructions.",
  params: { call: callRequest, types: traceTypes, block: optionalBlock },
  result: t.json,
  example: { params: [CALL, ["trace"], "latest"], result: CALL_RESULT },
  handle({ call: request, types, block }, caller: CallCaller) {
    return traceCall({ request, types }, getHeader(caller.chain.blocks, block ?? "latest"), caller);
  },
});
