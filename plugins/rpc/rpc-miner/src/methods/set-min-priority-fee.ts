import { method, type Runtime, t } from "@plinth/core";
import { readAmount } from "../amount.js";

/** `miner_setMinPriorityFee`: sets the minimum priority fee of transactions in further blocks. */
export const setMinPriorityFee = method({
  summary: "Sets the minimum priority fee of transactions in blocks from this node.",
  params: { amount: t.optional(t.json) },
  result: t.boolean,
  example: { params: ["0x0"], result: true },
  handle({ amount }, runtime: Runtime) {
    const wei = readAmount(amount, "Invalid min priority fee params");
    runtime.building.minPriorityFee = wei;
    return true;
  },
});
