import { type Call, method, type PriceSample, suggestGasPrice, t } from "@plinth/core";
import { blocksOf } from "../blocks.js";

/** `eth_gasPrice`: what a transaction should pay per gas. */
export const gasPrice = (sample: PriceSample & { readonly max: bigint }) =>
  method({
    summary: "Suggests a gas price from those of recent blocks.",
    result: t.quantity,
    handle: (_, call: Call) => suggestGasPrice(blocksOf(call), sample),
  });
