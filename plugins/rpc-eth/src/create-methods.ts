import type { Call, Methods, OptionValues } from "@plinth/core";
import type { Filters } from "./filters/filters.js";
import * as methods from "./methods/index.js";
import type { options } from "./options.js";

const {
  call,
  estimateGas,
  gasPrice,
  getFilterChanges,
  getFilterLogs,
  getLogs,
  maxPriorityFeePerGas,
  newBlockFilter,
  newFilter,
  newPendingTransactionFilter,
  uninstallFilter,
  ...plain
} = methods;

/** The methods of the namespace as the operator set them up. */
export function createMethods(
  config: OptionValues<typeof options>,
  filters: Filters,
): Methods<Call> {
  const sample = { blocks: config.apiGasPriceBlocks, percentile: config.apiGasPricePercentile };
  return {
    ...plain,
    call: call(config.rpcGasCap),
    estimateGas: estimateGas(config.rpcGasCap),
    gasPrice: gasPrice({ ...sample, max: config.apiGasPriceMax }),
    maxPriorityFeePerGas: maxPriorityFeePerGas(sample),
    getLogs: getLogs(config.rpcMaxLogsRange),
    newFilter: newFilter(filters),
    newBlockFilter: newBlockFilter(filters),
    newPendingTransactionFilter: newPendingTransactionFilter(filters),
    getFilterChanges: getFilterChanges(filters),
    getFilterLogs: getFilterLogs(filters, config.rpcMaxLogsRange),
    uninstallFilter: uninstallFilter(filters),
  };
}
