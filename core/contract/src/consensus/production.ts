import type { SealedHeader } from "../blocks/header.js";
import type { Address } from "../primitives/hex.js";

/** Yellow Paper, section 4.4.4. */
export const MAX_EXTRA_BYTES = 32;

/** Block production, which can be stopped and started. */
export interface BlockProduction {
  readonly isRunning: boolean;
  /** Starts production; does nothing if it is running. */
  start(): void;
  /** Stops after the block in progress; returns whether it was running. */
  stop(): Promise<boolean>;
  /**
   * Suspends production until the returned function is called, as while the node is behind its
   * peers.
   *
   * `isRunning` keeps reporting the operator's choice. One hold at a time.
   */
  hold(): () => void;
}

/** The operator's settings of block production; they may change at runtime. */
export interface MiningSettings {
  readonly isEnabled: boolean;
  /** The fee recipient, if the operator decides it. */
  coinbase: Address | undefined;
  /** Whether the operator, not the engine, decides it. */
  isChosen: boolean;
}

/** The operator's settings of blocks built by this node; some may change at runtime. */
export interface BuildPolicy {
  minGasPrice: bigint;
  minPriorityFee: bigint;
  readonly minOccupancy: number;
  targetGasLimit: bigint | undefined;
  /** The extra data of blocks whose engine does not use the field. */
  extraData: Uint8Array;
  /** How long a block on this parent is filled with transactions. */
  budgetMs(parent: SealedHeader): number;
}
