import type { Call, Methods, OptionValues } from "@plinth/core";
import type { Arrivals } from "./arrivals.js";
import { readFeeSettings } from "./fees/fee-settings.js";
import type { Filters } from "./filters/filters.js";
import * as methods from "./methods/index.js";
import type { options } from "./options.js";
import type { RevertReasons } from "./revert-reasons.js";

const {
  call,
  callMany,
  createAccessList,
  estimateGas,
  feeHistory,
  fillTransaction,
  gasPrice,
  getBlockReceipts,
  getFilterChanges,
  getFilterLogs,
  getLogs,
  getTransactionReceipt,
  maxPriorityFeePerGas,
  newBlockFilter,
  newFilter,
  newPendingTransactionFilter,
  sendRawTransactionSync,
  simulateV1,
  uninstallFilter,
  ...plain
} = methods;

/** The methods of the namespace with the operator's settings. */
export function createMethods(
  config: OptionValues<typeof options>,
  {
    filters,
    arrivals,
    reasons,
  }: { readonly filters: Filters; readonly arrivals: Arrivals; readonly reasons: RevertReasons },
): Methods<Call> {
  const fees = readFeeSettings(config);
  return {
    ...plain,
    call: call(config.rpcGasCap),
    callMany: callMany(config.rpcGasCap),
    createAccessList: createAccessList(config.rpcGasCap),
    estimateGas: estimateGas({
      gasCap: config.rpcGasCap,
      tolerance: config.estimateGasToleranceRatio,
      usualBlock: config.estimateGasBlock,
    }),
    fillTransaction: fillTransaction({
      gasCap: config.rpcGasCap,
      tolerance: config.estimateGasToleranceRatio,
      sample: fees.sample,
    }),
    sendRawTransactionSync: sendRawTransactionSync(arrivals),
    simulateV1: simulateV1(config.rpcGasCap),
    feeHistory: feeHistory(fees),
    gasPrice: gasPrice(fees),
    maxPriorityFeePerGas: maxPriorityFeePerGas(fees),
    getBlockReceipts: getBlockReceipts(reasons),
    getTransactionReceipt: getTransactionReceipt(reasons),
    getLogs: getLogs(config.rpcMaxLogsRange),
    newFilter: newFilter(filters),
    newBlockFilter: newBlockFilter(filters),
    newPendingTransactionFilter: newPendingTransactionFilter(filters),
    getFilterChanges: getFilterChanges(filters),
    getFilterLogs: getFilterLogs(filters, config.rpcMaxLogsRange),
    uninstallFilter: uninstallFilter(filters),
  };
}
