import type { BlockReader } from "@plinth/core";
import type { ReplayedState } from "@plinth/core/chain";

/** Whether a block is after the merge, which renamed the DIFFICULTY instruction. */
export function isAfterMerge(
  blocks: BlockReader,
  { context }: Pick<ReplayedState, "context">,
): boolean {
  return blocks.isActive("paris", context) || context.difficulty === 0n;
}
