import type { StateSettings } from "@plinth/chain";
import type { ConsensusEngine, OptionValues } from "@plinth/core";
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

/** Reorganizations of a chain without finality that removed more blocks are not known from practice. */
const SAFE_PROOF_BLOCKS = 1_024;

/** The warning for settings with which a node may be separated from its network; `undefined` if there is none. */
export function describeShortProofs(
  { proofBlocks }: Pick<StateSettings, "proofBlocks">,
  { finality }: Pick<ConsensusEngine, "finality">,
): string | undefined {
  if (finality !== "eventual" || proofBlocks >= SAFE_PROOF_BLOCKS) return undefined;
  return `--history-proofs-blocks=${proofBlocks} is low for a chain without instant finality: if its network removes more blocks, this node cannot follow; use at least ${SAFE_PROOF_BLOCKS}`;
}
