import type { SealedHeader } from "../blocks/header.js";
import type { Address } from "../primitives/hex.js";

/** Yellow Paper, section 4.4.4. */
export const MAX_EXTRA_BYTES = 32;

/** Making blocks, to be stopped and started. */
export interface BlockProduction {
  readonly isRunning: boolean;
  /** Begins; nothing happens when it runs already. */
  start(): void;
  /** Ends after the block in progress; returns whether it was running. */
  stop(): Promise<boolean>;
  /**
   * Makes no blocks until the returned function is called, as while the node is behind its peers.
   *
   * `isRunning` keeps reporting the operator's choice. One hold at a time.
   */
  hold(): () => void;
}

/** The operator's settings of block production; they may be changed while the node runs. */
export interface MiningSettings {
  readonly isEnabled: boolean;
  /** Who is paid, where the operator decides. */
  coinbase: Address | undefined;
  /** Whether the operator decides, and not the engine. */
  isChosen: boolean;
}

/** The operator's settings of the blocks that this node builds; some of it may be changed while it runs. */
export interface BuildPolicy {
  minGasPrice: bigint;
  minPriorityFee: bigint;
  readonly minOccupancy: number;
  targetGasLimit: bigint | undefined;
  /** What stands in blocks whose engine has nothing to say there. */
  extraData: Uint8Array;
  /** How long a block on this parent is filled with transactions. */
  budgetMs(parent: SealedHeader): number;
}
