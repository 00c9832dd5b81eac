import { type Call, method, t } from "@plinth/core";
import { suggestPriorityFee } from "@plinth/kit-rpc";
import type { FeeSettings } from "../fees/fee-settings.js";

/** `eth_maxPriorityFeePerGas`: the suggested priority fee. */
export const maxPriorityFeePerGas = ({ sample, bounds }: FeeSettings) =>
  method({
    summary: "Suggests a priority fee from those of recent blocks.",
    result: t.quantity,
    example: { params: [], result: "0x0" },
    handle(_, call: Call) {
      const min = call.pool.floor.minPriorityFee;
      return suggestPriorityFee(call.chain.blocks, { ...sample, min, bounds });
    },
  });
