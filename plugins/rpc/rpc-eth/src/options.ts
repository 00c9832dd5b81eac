import { option } from "@plinth/core";

/** Options of the namespace. */
export const options = {
  revertReasonEnabled: option.flag({
    summary: "Stores revert reasons of transactions from now on, and includes them in receipts.",
    default: false,
  }),
  rpcGasCap: option.integer({
    summary: "Gas limit of a simulated call; 0 for no limit.",
    default: 50_000_000,
    min: 0,
  }),
  estimateGasToleranceRatio: option.fraction({
    summary: "Tolerance of gas estimates above the gas needed: 0.015 is 1.5 percent.",
    default: 0.015,
  }),
  estimateGasBlock: option.oneOf(["latest", "pending"], {
    summary: "Default block for gas estimates; pending is the next one.",
    default: "latest",
  }),
  rpcMaxLogsRange: option.integer({
    summary:
      "Maximum distance between the first and the last block of a log search; 0 for no limit.",
    default: 1000,
    min: 0,
  }),
  apiGasPriceBlocks: option.integer({
    summary: "Number of blocks from which a gas price is suggested.",
    default: 100,
    min: 1,
  }),
  apiGasPricePercentile: option.decimal({
    summary: "Percentile of their prices to suggest.",
    default: 50,
  }),
  apiGasPriceMax: option.wei({
    summary: "Maximum suggested gas price, in wei.",
    default: 500_000_000_000n,
  }),
  apiGasAndPriorityFeeLimitingEnabled: option.flag({
    summary: "Keeps suggested fees within bounds around the minimum that this node accepts.",
    default: false,
  }),
  apiGasAndPriorityFeeLowerBoundCoefficient: option.integer({
    summary: "The lower bound, in percent.",
    default: 0,
    min: 0,
  }),
  apiGasAndPriorityFeeUpperBoundCoefficient: option.integer({
    summary: "The upper bound, in percent.",
    default: Number.MAX_SAFE_INTEGER,
    min: 0,
  }),
};
