import type { buildOptions } from "@plinth/chain";
import type { ConsensusEngine, OptionValues } from "@plinth/core";
import { ConfigError } from "@plinth/core";
import type { BuildPolicy } from "@plinth/core/consensus";
import { MAX_EXTRA_BYTES } from "@plinth/core/consensus";
import type { ForkSchedule } from "@plinth/core/rules";
import type { coreOptions } from "../plugin/options.js";

/** The inputs of the policy. */
export interface BuildSources {
  readonly options: OptionValues<typeof buildOptions> &
    Pick<OptionValues<typeof coreOptions>, "minerExtraData">;
  readonly isSet: (key: string) => boolean;
  readonly forks: Pick<ForkSchedule, "rules">;
  readonly engine: Pick<ConsensusEngine, "periodMs">;
}

/** Parses the operator's settings of blocks built by this node; an error names the option. */
export function readBuildPolicy({ options, isSet, forks, engine }: BuildSources): BuildPolicy {
  const isFree = forks.rules.baseFee === "zero" && !isSet("minGasPrice");
  const { targetGasLimit: target, minerExtraData: extraData } = options;
  if (extraData.length > MAX_EXTRA_BYTES) {
    throw new ConfigError("OPTION_INVALID", {
      message: `--miner-extra-data has ${extraData.length} bytes; at most ${MAX_EXTRA_BYTES} fit into a block`,
      option: "miner-extra-data",
    });
  }
  const hasPeriod = engine.periodMs !== undefined;
  if (hasPeriod && isSet("blockTxsSelectionMaxTime")) {
    throw refusal(
      "block-txs-selection-max-time",
      "PoA networks",
      "poa-block-txs-selection-max-time",
    );
  }
  if (!hasPeriod && isSet("poaBlockTxsSelectionMaxTime")) {
    throw refusal(
      "poa-block-txs-selection-max-time",
      "networks that are not PoA",
      "block-txs-selection-max-time",
    );
  }
  return {
    minGasPrice: isFree ? 0n : options.minGasPrice,
    minPriorityFee: options.minPriorityFee,
    extraData,
    minOccupancy: options.minBlockOccupancyRatio,
    targetGasLimit: target === undefined ? undefined : BigInt(target),
    budgetMs(parent) {
      const periodMs = engine.periodMs?.(parent);
      if (periodMs === undefined) return options.blockTxsSelectionMaxTime;
      return (periodMs * options.poaBlockTxsSelectionMaxTime) / 100;
    },
  };
}

function refusal(option: string, networks: string, other: string): ConfigError {
  return new ConfigError("OPTION_CONFLICT", {
    message: `--${option} can't be used with ${networks}, see --${other} instead`,
    option,
  });
}
