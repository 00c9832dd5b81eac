import { method, type Runtime, t } from "@plinth/core";
import { readAmount } from "../amount.js";

/** `miner_setMinGasPrice`: the least gas price of transactions in the blocks from now on. */
export const setMinGasPrice = method({
  summary: "Sets the least gas price that this node puts into blocks.",
  params: { amount: t.optional(t.json) },
  result: t.boolean,
  example: { params: ["0x3e8"], result: true },
  handle({ amount }, runtime: Runtime) {
    const wei = readAmount(amount, "Invalid min gas price params");
    runtime.building.minGasPrice = wei;
    return true;
  },
});
