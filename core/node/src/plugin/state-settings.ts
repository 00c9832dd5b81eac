import type { StateSettings } from "@plinth/chain";
import type { OptionValues } from "@plinth/core";
import type { coreOptions } from "./options.js";
import { readHistory } from "./pruning-settings.js";

/** The operator's settings of states. */
export function readStateSettings(
  options: Pick<
    OptionValues<typeof coreOptions>,
    | "dataStorageFormat"
    | "history"
    | "historyProofsBlocks"
    | "bonsaiLimitTrieLogsEnabled"
    | "bonsaiHistoricalBlockLimit"
  >,
): StateSettings {
  const { dataStorageFormat: format, historyProofsBlocks: proofBlocks } = options;
  return { format, history: readHistory(options), proofBlocks };
}
