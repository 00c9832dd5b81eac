import { method, type Runtime, t } from "@plinth/core";
import { readAmount } from "../amount.js";

/** `miner_setMinGasPrice`: sets the minimum gas price of transactions in further blocks. */
export const setMinGasPrice = method({
  summary: "Sets the minimum gas price of transactions in blocks from this node.",
  params: { amount: t.optional(t.json) },
  result: t.boolean,
  example: { params: ["0x3e8"], result: true },
  handle({ amount }, runtime: Runtime) {
    const wei = readAmount(amount, "Invalid min gas price params");
    runtime.building.minGasPrice = wei;
    return true;
  },
});
