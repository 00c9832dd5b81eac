import { option } from "@plinth/core";

/** As many as one request for the history of fees may cover. */
const MIN_BLOCKS_RETAINED = 1024;

/** The options that limit which states and blocks are kept, with Besu's names for them. */
export const pruningOptions = {
  history: option.text({
    summary:
      "Number of blocks before the head whose state can be read, or all; fewer need --data-storage-format=BONSAI.",
    default: "all",
    validate: (value) => (isAllOrCount(value) ? undefined : "expected all or a number of blocks"),
  }),
  historyProofsBlocks: option.integer({
    summary:
      "Number of blocks before the head for which --data-storage-format=BONSAI has proofs, and that can be removed from the chain.",
    default: 1024,
    min: 1,
    max: 1_000_000,
  }),
  blocksRetained: option.text({
    summary: `Number of blocks before the head whose bodies and receipts are kept, at least ${MIN_BLOCKS_RETAINED}, or all; headers are always kept.`,
    default: "all",
    validate: (value) =>
      isAllOrCount(value) && !(Number(value) < MIN_BLOCKS_RETAINED)
        ? undefined
        : `expected all or a number of blocks, at least ${MIN_BLOCKS_RETAINED}`,
  }),
  bonsaiLimitTrieLogsEnabled: option.flag({
    summary:
      "Removes old states of --data-storage-format=BONSAI, like --history with --bonsai-historical-block-limit.",
    aliases: ["XbonsaiLimitTrieLogsEnabled", "XbonsaiTrieLogPruningEnabled"],
  }),
  bonsaiHistoricalBlockLimit: option.integer({
    summary:
      "Number of blocks before the head whose state is kept by --bonsai-limit-trie-logs-enabled, at least 512.",
    default: 512,
    aliases: ["bonsaiMaximumBackLayersToLoad"],
    needs: "bonsaiLimitTrieLogsEnabled",
  }),
  XchainPruningEnabled: option.flag({
    summary:
      "Removes bodies and receipts of old blocks, like --blocks-retained with --Xchain-pruning-blocks-retained.",
  }),
  XchainPruningBlocksRetained: option.integer({
    summary: "Number of blocks that --Xchain-pruning-enabled keeps, at least 7200.",
    default: 7200,
    needs: "XchainPruningEnabled",
  }),
};

function isAllOrCount(value: string): boolean {
  return value === "all" || /^[1-9][0-9]{0,14}$/.test(value);
}
