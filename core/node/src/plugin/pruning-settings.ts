import { ConfigError, type OptionValues } from "@plinth/core";
import type { pruningOptions } from "./pruning-options.js";

type PruningValues = OptionValues<typeof pruningOptions>;

/** Besu's minimum values. */
const MIN_HISTORICAL_BLOCKS = 512;
const MIN_CHAIN_BLOCKS = 7200;

/** Number of blocks before the head whose state is kept; `undefined` for all. */
export function readHistory(
  options: Pick<
    PruningValues,
    "history" | "bonsaiLimitTrieLogsEnabled" | "bonsaiHistoricalBlockLimit"
  >,
): number | undefined {
  if (options.history !== "all") return Number(options.history);
  return options.bonsaiLimitTrieLogsEnabled ? options.bonsaiHistoricalBlockLimit : undefined;
}

/** Number of blocks before the head whose bodies and receipts are kept; `undefined` for all. */
export function readBlocksRetained(
  options: Pick<
    PruningValues,
    "blocksRetained" | "XchainPruningEnabled" | "XchainPruningBlocksRetained"
  >,
): number | undefined {
  if (options.blocksRetained !== "all") return Number(options.blocksRetained);
  return options.XchainPruningEnabled ? options.XchainPruningBlocksRetained : undefined;
}

/** Throws if options that remove data contradict each other, or Besu's are below its minimum. */
export function verifyPruning(options: PruningValues, isSet: (key: string) => boolean): void {
  if (options.bonsaiLimitTrieLogsEnabled) {
    const limit = options.bonsaiHistoricalBlockLimit;
    verifyMinimum("bonsai-historical-block-limit", limit, MIN_HISTORICAL_BLOCKS);
  }
  if (options.XchainPruningEnabled) {
    const retained = options.XchainPruningBlocksRetained;
    verifyMinimum("Xchain-pruning-blocks-retained", retained, MIN_CHAIN_BLOCKS);
  }
  if (isSet("history") && isSet("bonsaiLimitTrieLogsEnabled")) {
    verifySame(
      { name: "history", value: options.history },
      {
        name: "bonsai-historical-block-limit",
        flag: "bonsai-limit-trie-logs-enabled",
        isOn: options.bonsaiLimitTrieLogsEnabled,
        value: options.bonsaiHistoricalBlockLimit,
      },
    );
  }
  if (isSet("blocksRetained") && isSet("XchainPruningEnabled")) {
    verifySame(
      { name: "blocks-retained", value: options.blocksRetained },
      {
        name: "Xchain-pruning-blocks-retained",
        flag: "Xchain-pruning-enabled",
        isOn: options.XchainPruningEnabled,
        value: options.XchainPruningBlocksRetained,
      },
    );
  }
  verifyReorganizations(options);
}

function verifyMinimum(option: string, value: number, minimum: number): void {
  if (value >= minimum) return;
  throw new ConfigError("OPTION_INVALID", {
    message: `--${option}=${value} is too small: the minimum is ${minimum}`,
    option,
  });
}

/** Throws if an option and Besu's name for it have different values. */
function verifySame(
  own: { readonly name: string; readonly value: string },
  besu: {
    readonly name: string;
    readonly flag: string;
    readonly isOn: boolean;
    readonly value: number;
  },
): void {
  const meant = besu.isOn ? String(besu.value) : "all";
  if (own.value === meant) return;
  const given = besu.isOn ? `--${besu.name}=${besu.value}` : `--${besu.flag}=false`;
  throw new ConfigError("OPTION_CONFLICT", {
    message: `--${own.name}=${own.value} contradicts ${given}, which means --${own.name}=${meant}; set one of them. Nothing was removed`,
    option: own.name,
  });
}

/** Blocks that can be removed from the chain need their bodies. */
function verifyReorganizations(options: PruningValues): void {
  const retained = readBlocksRetained(options);
  const { historyProofsBlocks } = options;
  if (retained === undefined || retained >= historyProofsBlocks) return;
  throw new ConfigError("OPTION_CONFLICT", {
    message: `--blocks-retained=${retained} is less than --history-proofs-blocks=${historyProofsBlocks}, the number of blocks that can be removed from the chain; keep at least as many. Nothing was removed`,
    option: "blocks-retained",
  });
}
