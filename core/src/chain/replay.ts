import type { SealedBlock } from "../blocks/block.js";
import type { BlockContext } from "../evm/evm.js";
import { BlockExecution, type ExecutionGround } from "./import/execute-block.js";
import type { JournaledState } from "./state/world-state.js";

/** A state in the middle of a block, and what code finds out about the block there. */
export interface ReplayedState {
  readonly state: JournaledState;
  readonly context: BlockContext;
}

/**
 * Runs a block up to one of its transactions.
 *
 * With the number of its transactions, the state is the one after the last of them, before withdrawals and
 * what the engine does at the end.
 */
export async function replayBefore(
  index: number,
  { header, body }: SealedBlock,
  ground: ExecutionGround,
): Promise<ReplayedState> {
  const { transactions } = body;
  if (!Number.isInteger(index) || index < 0 || index > transactions.length) {
    throw new RangeError(
      `block ${header.number} has ${transactions.length} transactions; there is no state before number ${index}`,
    );
  }
  const execution = new BlockExecution(ground);
  await execution.begin(header);
  for (const transaction of transactions.slice(0, index)) await execution.run(transaction);
  return { state: ground.state, context: ground.block };
}
