import { method, type Runtime, t } from "@plinth/core";
import { readAmount } from "../amount.js";

/** `miner_setMinPriorityFee`: the least priority fee of transactions in the blocks from now on. */
export const setMinPriorityFee = method({
  summary: "Sets the least priority fee that this node puts into blocks.",
  params: { amount: t.optional(t.json) },
  result: t.boolean,
  example: { params: ["0x0"], result: true },
  handle({ amount }, runtime: Runtime) {
    const wei = readAmount(amount, "Invalid min priority fee params");
    runtime.building.minPriorityFee = wei;
    return true;
  },
});
