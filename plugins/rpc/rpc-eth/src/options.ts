import { option } from "@plinth/core";

/** Options of the namespace. */
export const options = {
  revertReasonEnabled: option.flag({
    summary: "Keeps why transactions reverted, from now on, and shows it in receipts.",
    default: false,
  }),
  rpcGasCap: option.integer({
    summary: "Most gas that a simulated call may use; 0 for no limit.",
    default: 50_000_000,
    min: 0,
  }),
  estimateGasToleranceRatio: option.fraction({
    summary: "How far an estimate of gas may be above what is needed: 0.015 is 1.5 percent.",
    default: 0.015,
  }),
  estimateGasBlock: option.oneOf(["latest", "pending"], {
    summary: "Block that gas is estimated on when a caller names none; pending is the next one.",
    default: "latest",
  }),
  rpcMaxLogsRange: option.integer({
    summary:
      "How far apart the first and the last block of a search for logs may be; 0 for no limit.",
    default: 1000,
    min: 0,
  }),
  apiGasPriceBlocks: option.integer({
    summary: "How many blocks a suggested gas price is computed from.",
    default: 100,
    min: 1,
  }),
  apiGasPricePercentile: option.decimal({
    summary: "Percentile of their prices that is suggested.",
    default: 50,
  }),
  apiGasPriceMax: option.wei({
    summary: "The most that is suggested, in wei.",
    default: 500_000_000_000n,
  }),
  apiGasAndPriorityFeeLimitingEnabled: option.flag({
    summary: "Keeps suggested fees within bounds around the least that this node takes.",
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
