import { type Call, method, simulateCall, t } from "@plinth/core";
import { blocksOf, getStateHeader } from "../blocks.js";
import { callRequest } from "../call-request.js";
import { failureOf, impossible } from "../failure.js";
import { gasFor } from "../gas-cap.js";

/** `eth_call`: runs a call on the state after a block; nothing is kept. */
export const call = (gasCap: number) =>
  method({
    summary: "Runs a call without a transaction and returns what it returns.",
    params: { call: callRequest, block: t.optional(t.blockId) },
    result: t.data,
    async handle({ call: request, block }, context: Call) {
      const blocks = blocksOf(context);
      const header = getStateHeader(context, block);
      const gasLimit = gasFor(request.gas ?? header.gasLimit, gasCap);
      try {
        const result = await simulateCall(blocks, request, { header, gasLimit });
        if (result.outcome !== "success") throw failureOf(result, context.compatibility);
        return result.returnValue;
      } catch (error) {
        throw impossible(error, context.compatibility);
      }
    },
  });
