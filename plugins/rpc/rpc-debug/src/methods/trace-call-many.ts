import { simulateCall } from "@plinth/chain";
import { type BlockReader, method, type QueryCall, stream, t } from "@plinth/core";
import type { Evm } from "@plinth/core/evm";
import type { StateOverrides } from "@plinth/core/query";
import {
  type Bundle,
  type BundleContext,
  bundleContext,
  bundles,
  callsOf,
  differencesOf,
  gasOfCall,
  openBundleState,
  toRpcError,
  verifyNoMoves,
} from "@plinth/kit-rpc";
import { readWhileMade, type Sink, yielding } from "@plinth/kit-trace";
import type { CallLimits } from "@plinth/plugin-rpc-eth/api";
import {
  type CallTraceOptions,
  callTraceOptions,
  USUAL_CALL_OPTIONS,
} from "../trace/call-trace-options.js";
import { verifyTracer } from "../trace/trace-options.js";
import { type Traceable, writeTrace } from "../trace/write-trace.js";

type Caller = QueryCall & { readonly limits: CallLimits | undefined };

/** The calls to trace, and the caller. */
interface Traced {
  readonly bundles: readonly Bundle[];
  readonly context: BundleContext;
  readonly options: CallTraceOptions;
  readonly caller: Caller;
}

/** `debug_traceCallMany`: traces of bundles of calls, each on the state after the previous one. */
export const traceCallMany = method({
  offload: "long",
  summary:
    "Executes bundles of calls, each on the state after the previous one, and returns every step of each.",
  absentIn: "besu",
  params: {
    bundles,
    context: bundleContext,
    options: t.optional(callTraceOptions, USUAL_CALL_OPTIONS),
  },
  result: t.json,
  example: {
    params: [
      [{ transactions: [{ to: `0x${"cd".repeat(20)}` }] }],
      { blockNumber: "latest" },
      { tracer: "noopTracer" },
    ],
    result: [[{}]],
  },
  async handle({ bundles, context, options }, caller: Caller) {
    const { compatibility, client } = caller;
    verifyTracer(options, compatibility);
    verifyNoMoves(options.stateOverrides);
    const traced = { bundles, context, options, caller };
    try {
      const made = readWhileMade(async (sink) => {
        using lent = await caller.chain.blocks.lendEvm();
        // A dry run first, so that an invalid call is detected before anything is written.
        await runAll(traced, lent.evm, (_, run) => run(() => yielding({}, client.closed)));
        await writeAll(traced, lent.evm, sink);
      }, client.closed);
      return stream(await made);
    } catch (error) {
      throw toRpcError(error, { compatibility, isDetailed: true });
    }
  },
});

/** A call, with the index of its bundle and whether it is the first in it. */
interface Place {
  readonly bundle: number;
  readonly isFirst: boolean;
  readonly isMerged: boolean;
}

/** Executes all calls on one state; each runs when its consumer requests it. */
async function runAll(
  { bundles, context, options, caller }: Traced,
  evm: Evm,
  take: (place: Place, traceable: Traceable) => Promise<unknown>,
): Promise<void> {
  const { compatibility, limits, signal } = caller;
  const { blocks } = caller.chain;
  using opened = await openBundleState(blocks, context);
  const { header, state } = opened;
  let stateOverrides: StateOverrides | undefined = options.stateOverrides;
  for (const called of callsOf(bundles, header, options.blockOverrides)) {
    signal.throwIfAborted();
    const { request, blockOverrides, bundle, isFirst } = called;
    const wanted = request.gas ?? blockOverrides.gasLimit;
    const settings = {
      header,
      gasLimit: gasOfCall({ wanted, header, cap: limits?.gasCap ?? 0 }),
      rules: differencesOf(compatibility).calls,
      stateOverrides,
      blockOverrides,
      state,
    };
    const traceable: Traceable = (createTracer) =>
      simulateCall(blocks, request, {
        ...settings,
        trace: {
          evm,
          createTracer: ({ state, message, block }) => {
            const { from: sender, to, gasLimit } = message;
            const { feeRecipient } = block;
            return createTracer({ state, sender, to, gasLimit, feeRecipient, compatibility });
          },
        },
      });
    await take({ bundle, isFirst, isMerged: isMerged(blocks, header) }, traceable);
    stateOverrides = undefined;
  }
}

/** A list of lists; bundles without calls are empty lists. */
async function writeAll(traced: Traced, evm: Evm, sink: Sink): Promise<void> {
  const { bundles, options, caller } = traced;
  let open = -1;
  const goTo = async (bundle: number) => {
    for (; open < bundle; open++) await sink.write(open < 0 ? "[[" : "],[");
  };
  await runAll(traced, evm, async ({ bundle, isFirst, isMerged }, traceable) => {
    await goTo(bundle);
    if (!isFirst) await sink.write(",");
    const { compatibility, client } = caller;
    await writeTrace(traceable, { options, compatibility, isMerged, signal: client.closed }, sink);
  });
  await goTo(bundles.length - 1);
  await sink.write("]]");
}

function isMerged(
  blocks: BlockReader,
  header: Parameters<BlockReader["isActive"]>[1] & { readonly difficulty: bigint },
): boolean {
  return blocks.isActive("paris", header) || header.difficulty === 0n;
}
