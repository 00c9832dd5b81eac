import { ConfigError, type OptionValues } from "@plinth/core";
import type { PriceBounds, PriceSample } from "@plinth/kit-rpc";
import type { options } from "../options.js";

/** How fees are suggested. */
export interface FeeSettings {
  readonly sample: PriceSample;
  /** Maximum suggested gas price, in wei. */
  readonly max: bigint;
  /** Relative to the minimum of this node; `undefined` unless enabled. */
  readonly bounds: PriceBounds | undefined;
}

/** Reads the operator's settings for suggested fees. */
export function readFeeSettings(config: OptionValues<typeof options>): FeeSettings {
  const { apiGasAndPriorityFeeLimitingEnabled: isLimited } = config;
  const lower = config.apiGasAndPriorityFeeLowerBoundCoefficient;
  const upper = config.apiGasAndPriorityFeeUpperBoundCoefficient;
  if (lower > upper) {
    throw new ConfigError("OPTION_CONFLICT", {
      message: `--api-gas-and-priority-fee-lower-bound-coefficient is ${lower}, more than the upper bound ${upper}`,
      option: "api-gas-and-priority-fee-lower-bound-coefficient",
    });
  }
  return {
    sample: { blocks: config.apiGasPriceBlocks, percentile: config.apiGasPricePercentile },
    max: config.apiGasPriceMax,
    bounds: isLimited ? { lowerPercent: BigInt(lower), upperPercent: BigInt(upper) } : undefined,
  };
}
