import type { Transaction } from "../blocks/transaction.js";
import type { BlockContext, EvmResult } from "../evm/evm.js";
import type { Tracer } from "../evm/tracer.js";
import type { ScratchState } from "./scratch-state.js";

/** A state in the middle of a block, and what code finds out about the block there. */
export interface ReplayedState {
  readonly state: ScratchState;
  readonly context: BlockContext;
}

/**
 * A block that is run again, transaction by transaction; nothing of it is kept.
 *
 * Dispose of it when done: so many blocks can be replayed at once, and others wait.
 */
export interface BlockReplay extends ReplayedState, Disposable {
  /** How many transactions have run. */
  readonly position: number;
  /** The transaction that runs next; `undefined` after the last. */
  readonly transaction: Transaction | undefined;
  /** Runs the next transaction. */
  run(tracer?: Tracer): Promise<EvmResult>;
  /** Runs transactions until so many have run. */
  runTo(count: number): Promise<void>;
}
