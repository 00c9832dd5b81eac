import type { StateSettings } from "@plinth/chain";
import type { OptionValues } from "@plinth/core";
import type { coreOptions } from "./options.js";

/** The operator's settings of states. */
export function readStateSettings(
  options: Pick<
    OptionValues<typeof coreOptions>,
    "dataStorageFormat" | "history" | "historyProofsBlocks"
  >,
): StateSettings {
  const { dataStorageFormat: format, history, historyProofsBlocks: proofBlocks } = options;
  return { format, history: history === "all" ? undefined : Number(history), proofBlocks };
}
