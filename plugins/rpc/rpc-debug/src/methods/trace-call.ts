import { simulateCall } from "@plinth/chain";
import { type Compatibility, method, type QueryCall, RpcError, stream, t } from "@plinth/core";
import { type CallRequest, ImpossibleCall } from "@plinth/core/query";
import { callRequest, differencesOf, gasOfCall, getHeader, toRpcError } from "@plinth/kit-rpc";
import { holdsCallsToFees, optionalBlock, readWhileMade } from "@plinth/kit-trace";
import type { CallLimits } from "@plinth/plugin-rpc-eth/api";
import { callTraceOptions, USUAL_CALL_OPTIONS } from "../trace/call-trace-options.js";
import { verifyTracer } from "../trace/trace-options.js";
import { type Traceable, writeTrace } from "../trace/write-trace.js";

/** `debug_traceCall`: trace of a call on the state after a block. */
export const traceCall = method({
  offload: "long",
  summary: "Executes a call on the state after a block and returns every step.",
  params: {
    call: callRequest,
    block: optionalBlock,
    options: t.optional(callTraceOptions, USUAL_CALL_OPTIONS),
  },
  result: t.json,
  example: {
    params: [{ to: `0x${"cd".repeat(20)}` }, "latest"],
    result: { gas: 21000, failed: false, returnValue: "", structLogs: [] },
  },
  async handle(
    { call: asked, block = "latest", options },
    call: QueryCall & { readonly limits: CallLimits | undefined },
  ) {
    const { compatibility, client, limits } = call;
    verifyTracer(options, compatibility);
    const request = asTraced(asked, compatibility);
    const blocks = call.chain.blocks;
    const header = getHeader(blocks, block);
    const gasLimit = gasOfCall({ wanted: request.gas, header, cap: limits?.gasCap ?? 0 });
    const { stateOverrides, blockOverrides } = options;
    const settings = {
      header,
      gasLimit,
      rules: differencesOf(compatibility).calls,
      stateOverrides,
      blockOverrides,
    };
    const isMerged = blocks.isActive("paris", header) || header.difficulty === 0n;
    try {
      const made = readWhileMade(async (sink) => {
        using lent = await blocks.lendEvm();
        const traceable: Traceable = (createTracer) =>
          simulateCall(blocks, request, {
            ...settings,
            trace: {
              evm: lent.evm,
              createTracer: ({ state, message, block }) => {
                const { from: sender, to, gasLimit } = message;
                return createTracer({
                  state,
                  sender,
                  to,
                  gasLimit,
                  feeRecipient: block.feeRecipient,
                  compatibility,
                });
              },
            },
          });
        const trace = { options, compatibility, isMerged, signal: client.closed };
        await writeTrace(traceable, trace, sink);
      }, client.closed);
      return stream(await made);
    } catch (error) {
      throw refusal(error, compatibility);
    }
  },
});

/** In Besu mode, a call must be able to pay its fees by default. */
function asTraced(request: CallRequest, compatibility: Compatibility): CallRequest {
  return holdsCallsToFees(compatibility) ? { ...request, strict: request.strict ?? true } : request;
}

function refusal(error: unknown, compatibility: Compatibility): unknown {
  if (error instanceof ImpossibleCall && holdsCallsToFees(compatibility)) {
    return new RpcError(-32603, "Internal error", error.detail);
  }
  return toRpcError(error, { compatibility, isDetailed: true });
}
