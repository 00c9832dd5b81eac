import { type Call, method, type PriceSample, suggestPriorityFee, t } from "@plinth/core";
import { blocksOf } from "../blocks.js";

/** `eth_maxPriorityFeePerGas`: what a transaction should offer the maker of a block per gas. */
export const maxPriorityFeePerGas = (sample: PriceSample) =>
  method({
    summary: "Suggests a priority fee from those of recent blocks.",
    result: t.quantity,
    handle: (_, call: Call) => suggestPriorityFee(blocksOf(call), sample),
  });
