import type { Block } from "../blocks/block.js";
import type { Receipt } from "../blocks/receipt.js";
import type { Transaction } from "../blocks/transaction.js";
import type { BlockContext, EvmResult } from "../evm/evm.js";
import type { Tracer } from "../evm/tracer.js";
import type { Bloom } from "../primitives/bloom.js";
import type { Hash } from "../primitives/hex.js";
import type { ScratchState } from "./state/scratch-state.js";

/** A state in the middle of a block, with the block values visible to code. */
export interface ReplayedState {
  readonly state: ScratchState;
  readonly context: BlockContext;
}

/** What a replayed block gives, to be compared with its header. */
export interface ReplayResult {
  readonly receipts: readonly Receipt[];
  readonly receiptsRoot: Hash;
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
  readonly logsBloom: Bloom;
  /** EIP-7685; `undefined` before Prague. */
  readonly requestsHash: Hash | undefined;
}

/**
 * A block replayed transaction by transaction; its changes are discarded.
 *
 * Dispose of it when done: the number of concurrent replays is limited, and others wait.
 */
export interface BlockReplay extends ReplayedState, Disposable {
  readonly block: Block;
  /** Number of executed transactions. */
  readonly position: number;
  /** The next transaction; `undefined` after the last. */
  readonly transaction: Transaction | undefined;
  /** The receipts of the executed transactions. */
  readonly receipts: readonly Receipt[];
  /** Runs the next transaction. */
  run(tracer?: Tracer): Promise<EvmResult>;
  /** Runs transactions until this many have run. */
  runTo(count: number): Promise<void>;
  /**
   * Runs the rest of the block with what follows its last transaction, such as rewards; nothing may run afterwards.
   *
   * Without the state root: `BlockReader.rootOf` has it.
   */
  finish(): Promise<ReplayResult>;
}
