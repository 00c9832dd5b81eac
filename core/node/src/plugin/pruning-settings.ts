import { ConfigError, type OptionValues } from "@plinth/core";
import type { pruningOptions } from "./pruning-options.js";

type PruningValues = OptionValues<typeof pruningOptions>;

/** Number of blocks before the head whose bodies and receipts are kept; `undefined` for all. */
export function readBlocksRetained({
  blocksRetained,
}: Pick<PruningValues, "blocksRetained">): number | undefined {
  return blocksRetained === "all" ? undefined : Number(blocksRetained);
}

/** Throws if options that remove data contradict each other. */
export function verifyPruning(options: PruningValues): void {
  const retained = readBlocksRetained(options);
  const { historyProofsBlocks } = options;
  // Blocks that can be removed from the chain need their bodies.
  if (retained === undefined || retained >= historyProofsBlocks) return;
  throw new ConfigError("OPTION_CONFLICT", {
    message: `--blocks-retained=${retained} is less than --history-proofs-blocks=${historyProofsBlocks}, the number of blocks that can be removed from the chain; keep at least as many. Nothing was removed`,
    option: "blocks-retained",
  });
}
