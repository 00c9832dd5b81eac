import { simulateCall } from "@plinth/chain";
import {
  type BlockReader,
  type QueryCall,
  RpcError,
  type SealedHeader,
  stream,
} from "@plinth/core";
import type { ReplayedState } from "@plinth/core/chain";
import { type CallRequest, ImpossibleCall } from "@plinth/core/query";
import type { StreamResult } from "@plinth/core/rpc";
import { differencesOf, gasOfCall } from "@plinth/kit-rpc";
import { holdsCallsToFees, readWhileMade, type Sink, yielding } from "@plinth/kit-trace";
import type { CallLimits } from "@plinth/plugin-rpc-eth/api";
import type { TraceType } from "./trace-types.js";
import { type Traceable, writeResult } from "./write-result.js";

/** A call and the requested traces. */
export interface TracedCall {
  readonly request: CallRequest;
  readonly types: ReadonlySet<TraceType>;
}

/** The caller and the operator's limits. */
export type CallCaller = QueryCall & { readonly limits: CallLimits | undefined };

/** The context of the calls. */
interface CallContext {
  readonly blocks: BlockReader;
  readonly header: SealedHeader;
  readonly caller: CallCaller;
  readonly evm: Awaited<ReturnType<BlockReader["lendEvm"]>>["evm"];
}

type State = ReplayedState["state"];

/** Traces a call on the state after a block. */
export function traceCall(
  traced: TracedCall,
  header: SealedHeader,
  caller: CallCaller,
): Promise<StreamResult> {
  return answer(header, caller, (context, sink) =>
    writeCall(traced, { ...context, state: openState(context) }, sink),
  );
}

/** Traces calls one after another, starting with the state after a block. */
export function traceCalls(
  calls: readonly TracedCall[],
  header: SealedHeader,
  caller: CallCaller,
): Promise<StreamResult> {
  return answer(header, caller, async (context, sink) => {
    await verifyCalls(calls, context);
    const state = openState(context);
    for (const [index, traced] of calls.entries()) {
      await sink.write(index === 0 ? "[" : ",");
      await writeCall(traced, { ...context, state }, sink);
    }
    await sink.write(calls.length === 0 ? "[]" : "]");
  });
}

/**
 * Leases an EVM and streams the result; an invalid call is an error as long as nothing was written.
 */
async function answer(
  header: SealedHeader,
  caller: CallCaller,
  write: (context: CallContext, sink: Sink) => Promise<void>,
): Promise<StreamResult> {
  const blocks = caller.chain.blocks;
  try {
    const made = readWhileMade(async (sink) => {
      using lent = await blocks.lendEvm();
      await write({ blocks, header, caller, evm: lent.evm }, sink);
    }, caller.client.closed);
    return stream(await made);
  } catch (error) {
    if (!(error instanceof ImpossibleCall)) throw error;
    // Besu does not report the reason.
    const detail = caller.compatibility.mode === "besu" ? undefined : error.detail;
    throw new RpcError(-32603, "Internal error", detail);
  }
}

/**
 * Runs the calls once in advance, so that an invalid one is detected before anything is written.
 */
async function verifyCalls(calls: readonly TracedCall[], context: CallContext): Promise<void> {
  const state = openState(context);
  for (const { request } of calls) {
    const createTracer = () => yielding({}, context.caller.client.closed);
    await run(request, { ...context, state }, createTracer);
  }
}

function writeCall(
  { request, types }: TracedCall,
  context: CallContext & { readonly state: State },
  sink: Sink,
): Promise<void> {
  const { client, compatibility } = context.caller;
  const settings = { types, compatibility, signal: client.closed };
  return writeResult((createTracer) => run(request, context, createTracer), settings, sink);
}

function run(
  request: CallRequest,
  { blocks, header, caller, evm, state }: CallContext & { readonly state: State },
  createTracer: Parameters<Traceable>[0],
): ReturnType<Traceable> {
  const { compatibility, limits } = caller;
  const gasLimit = gasOfCall({ wanted: request.gas, header, cap: limits?.gasCap ?? 0 });
  const strict = request.strict ?? (holdsCallsToFees(compatibility) ? true : undefined);
  return simulateCall(
    blocks,
    { ...request, strict },
    {
      header,
      gasLimit,
      rules: differencesOf(compatibility).calls,
      state,
      trace: { evm, createTracer: (context) => createTracer(context.state) },
    },
  );
}

function openState({ blocks, header }: CallContext): State {
  return blocks.simulation.states.open(header);
}
