import { definePlugin } from "@plinth/core";
import * as methods from "./methods/index.js";
import { options } from "./options.js";

export default definePlugin({
  name: "rpc-eth",
  options,
  setup({ rpc, config }) {
    const sample = { blocks: config.apiGasPriceBlocks, percentile: config.apiGasPricePercentile };
    const { call, estimateGas, gasPrice, maxPriorityFeePerGas, ...plain } = methods;
    rpc.namespace("eth", {
      ...plain,
      call: call(config.rpcGasCap),
      estimateGas: estimateGas(config.rpcGasCap),
      gasPrice: gasPrice({ ...sample, max: config.apiGasPriceMax }),
      maxPriorityFeePerGas: maxPriorityFeePerGas(sample),
    });
  },
});
