import type { BlockReader } from "@plinth/core";
import type { ReplayedState } from "@plinth/core/chain";

/** Whether a block has no difficulty any more, which gave an instruction another name. */
export function isAfterMerge(
  blocks: BlockReader,
  { context }: Pick<ReplayedState, "context">,
): boolean {
  return blocks.isActive("paris", context) || context.difficulty === 0n;
}
