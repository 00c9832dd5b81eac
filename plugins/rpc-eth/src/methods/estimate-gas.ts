import { type Call, estimateGas as estimate, method, t } from "@plinth/core";
import { blocksOf, getHeader } from "../blocks.js";
import { callRequest } from "../call-request.js";
import { failureOf, impossible } from "../failure.js";
import { gasFor } from "../gas-cap.js";

/** `eth_estimateGas`: how much gas a call needs. */
export const estimateGas = (gasCap: number) =>
  method({
    summary: "Estimates how much gas a call needs.",
    params: { call: callRequest, block: t.optional(t.blockId, "latest") },
    result: t.quantity,
    async handle({ call: request, block }, context: Call) {
      const blocks = blocksOf(context);
      const header = block === "pending" ? blocks.next() : getHeader(blocks, block);
      const gasLimit = gasFor(header.gasLimit, gasCap);
      try {
        const found = await estimate(blocks, request, { header, gasLimit });
        if (found.kind === "failed") throw failureOf(found.result, context.compatibility);
        return found.gas;
      } catch (error) {
        throw impossible(error, context.compatibility);
      }
    },
  });
