import { simulateCall } from "@plinth/chain";
import { method, type QueryCall, t } from "@plinth/core";
import {
  blockOverrides,
  callRequest,
  failureOf,
  gasOfCall,
  getStateHeader,
  lendingRulesOf,
  stateOverrides,
  toRpcError,
} from "@plinth/kit-rpc";

/** `eth_call`: executes a call on the state after a block; nothing is persisted. */
export const call = (gasCap: number) =>
  method({
    offload: "short",
    summary: "Executes a call without a transaction and returns its output.",
    params: {
      call: callRequest,
      block: t.optional(t.blockId),
      stateOverrides: t.optional(stateOverrides),
      blockOverrides: t.optional(blockOverrides),
    },
    result: t.data,
    example: {
      params: [{ to: "0x00000000000000000000000000000000000000b0", data: "0x" }, "latest"],
      result: "0x",
    },
    async handle({ call: request, block, stateOverrides, blockOverrides }, context: QueryCall) {
      const { compatibility } = context;
      const style = { compatibility, isDetailed: false };
      const blocks = context.chain.blocks;
      const header = getStateHeader(context, block);
      const wanted = request.gas ?? blockOverrides?.gasLimit;
      const gasLimit = gasOfCall({ wanted, header, cap: gasCap });
      const rules = lendingRulesOf(compatibility);
      try {
        const settings = { header, gasLimit, rules, stateOverrides, blockOverrides };
        const result = await simulateCall(blocks, request, settings);
        if (result.outcome !== "success") throw failureOf(result, style);
        return result.returnValue;
      } catch (error) {
        throw toRpcError(error, style);
      }
    },
  });
