import { simulateCall } from "@plinth/chain";
import { type Compatibility, method, type QueryCall, RpcError, t, toHex } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import { callGas } from "@plinth/core/query";
import {
  bundleContext,
  bundles,
  callsOf,
  differencesOf,
  failureOf,
  openBundleState,
  stateOverrides,
  toRpcError,
  verifyNoMoves,
} from "@plinth/kit-rpc";

/** `eth_callMany`: executes bundles of calls one after another; nothing is persisted. */
export const callMany = (gasCap: number) =>
  method({
    offload: "short",
    summary:
      "Executes bundles of calls, each on the state after the previous one, and returns the value or the error of each.",
    absentIn: "besu",
    params: {
      bundles,
      context: bundleContext,
      stateOverrides: t.optional(stateOverrides),
      timeoutMs: t.optional(t.uint64),
    },
    result: t.json,
    example: {
      params: [
        [{ transactions: [{ to: "0x00000000000000000000000000000000000000b0" }] }],
        { blockNumber: "latest" },
      ],
      result: [[{ value: "0x" }]],
    },
    async handle({ bundles, context, stateOverrides, timeoutMs = 0n }, caller: QueryCall) {
      verifyNoMoves(stateOverrides);
      const { compatibility, signal } = caller;
      const { blocks } = caller.chain;
      const deadline = deadlineOf(timeoutMs);
      using opened = await openBundleState(blocks, context);
      const { header, state } = opened;
      const results: object[][] = bundles.map(() => []);
      let overrides = stateOverrides;
      let gasLeft = BigInt(gasCap);
      try {
        for (const { request, blockOverrides, bundle } of callsOf(bundles, header)) {
          signal.throwIfAborted();
          deadline.verify();
          if (gasCap > 0 && gasLeft === 0n) throw usedUp(gasCap);
          const wanted = request.gas ?? blockOverrides.gasLimit ?? header.gasLimit;
          const result = await simulateCall(blocks, request, {
            header,
            gasLimit: callGas(wanted, gasLeft),
            rules: differencesOf(compatibility).calls,
            stateOverrides: overrides,
            blockOverrides,
            state,
          });
          overrides = undefined;
          if (gasCap > 0) gasLeft -= result.gasUsed;
          results[bundle]?.push(describe(result, compatibility));
        }
      } catch (error) {
        throw toRpcError(error, { compatibility, isDetailed: true });
      }
      return results;
    },
  });

function usedUp(cap: number): RpcError {
  return new RpcError(-32000, `the calls use more gas together than --rpc-gas-cap=${cap}`);
}

function describe(result: EvmResult, compatibility: Compatibility): object {
  if (result.outcome === "success") return { value: toHex(result.returnValue) };
  const { message, data } = failureOf(result, { compatibility, isDetailed: true });
  return { error: result.outcome === "reverted" ? { message, data } : message };
}

/** A caller may request a shorter timeout; it is checked between calls. */
function deadlineOf(ms: bigint): { verify(): void } {
  const end = ms === 0n ? Number.POSITIVE_INFINITY : performance.now() + Number(ms);
  return {
    verify() {
      if (performance.now() <= end) return;
      throw new RpcError(-32000, `execution aborted (timeout = ${Number(ms) / 1000}s)`);
    },
  };
}
