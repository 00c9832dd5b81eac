import { type Codec, DecodeError, method, RpcError, t } from "@plinth/core";
import { callRequest, differencesOf, getHeader } from "@plinth/kit-rpc";
import { optionalBlock } from "@plinth/kit-trace";
import { type CallCaller, type TracedCall, traceCalls } from "../call-results.js";
import { CALL, CALL_RESULT } from "../examples.js";
import { traceTypes } from "../trace-types.js";

const tracedCall: Codec<TracedCall> = {
  decode(json, path = "", reading) {
    if (!Array.isArray(json) || json.length !== 2) throw new DecodeError(path, "[call, types]");
    return {
      request: callRequest.decode(json[0], `${path}[0]`, reading),
      types: traceTypes.decode(json[1], `${path}[1]`, reading),
    };
  },
  encode: ({ request, types }) => [callRequest.encode(request), traceTypes.encode(types)],
  schema: { type: "array", prefixItems: [callRequest.schema, traceTypes.schema] },
};

/** `trace_callMany`: traces calls one after another. */
export const callMany = method({
  offload: "long",
  summary: "Traces calls one after another, each on the state after the previous one.",
  params: {
    calls: t.withText(t.array(tracedCall), "Invalid trace call many params"),
    block: optionalBlock,
  },
  result: t.json,
  example: { params: [[[CALL, ["trace"]]], "latest"], result: [CALL_RESULT] },
  handle({ calls, block }, caller: CallCaller) {
    if (block === undefined && differencesOf(caller.compatibility).requiresBlock) {
      throw RpcError.invalidParams("Invalid number of params");
    }
    return traceCalls(calls, getHeader(caller.chain.blocks, block ?? "latest"), caller);
  },
});
