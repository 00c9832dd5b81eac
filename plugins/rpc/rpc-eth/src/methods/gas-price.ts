import { type Call, method, t } from "@plinth/core";
import { suggestGasPrice } from "@plinth/kit-rpc";
import type { FeeSettings } from "../fees/fee-settings.js";

/** `eth_gasPrice`: the suggested gas price. */
export const gasPrice = ({ sample, max, bounds }: FeeSettings) =>
  method({
    summary: "Suggests a gas price from those of recent blocks.",
    result: t.quantity,
    example: { params: [], result: "0x3e8" },
    handle(_, call: Call) {
      const min = call.pool.floor.minGasPrice;
      return suggestGasPrice(call.chain.blocks, { ...sample, max, min, bounds });
    },
  });
