import type { Transaction } from "../blocks/transaction.js";
import type { BlockContext, EvmResult } from "../evm/evm.js";
import type { Tracer } from "../evm/tracer.js";
import type { ScratchState } from "./scratch-state.js";

/** A state in the middle of a block, with the block values visible to code. */
export interface ReplayedState {
  readonly state: ScratchState;
  readonly context: BlockContext;
}

/**
 * A block replayed transaction by transaction; its changes are discarded.
 *
 * Dispose of it when done: the number of concurrent replays is limited, and others wait.
 */
export interface BlockReplay extends ReplayedState, Disposable {
  /** Number of executed transactions. */
  readonly position: number;
  /** The next transaction; `undefined` after the last. */
  readonly transaction: Transaction | undefined;
  /** Runs the next transaction. */
  run(tracer?: Tracer): Promise<EvmResult>;
  /** Runs transactions until this many have run. */
  runTo(count: number): Promise<void>;
}
