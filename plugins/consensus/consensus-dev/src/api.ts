import { type Address, defineService, type Hash, type SealedHeader } from "@plinth/core";
import type { NextBlockOverrides } from "./next-block.js";

export { findHeaderForm, type HeaderForm, headerForm } from "./header-forms.js";
export type { NextBlockOverrides } from "./next-block.js";

/** Changes to an account; omitted fields are unchanged. */
export interface AccountChange {
  readonly address: Address;
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  readonly storage?: readonly { readonly slot: Hash; readonly value: bigint }[] | undefined;
}

/** Offset of the chain's clock from the machine's, and the time of its next block. */
export interface ChainTime {
  readonly offsetSeconds: bigint;
  readonly next: bigint | undefined;
  /**
   * Fixed number of seconds between blocks, regardless of the machine's clock; `undefined` to
   * follow the clock.
   */
  readonly step?: bigint | undefined;
}

/** A development chain under the control of a test: its blocks, its time, its accounts. */
export interface DevChain {
  /** Produces a block now from the pool; by default at the chain's time. */
  mine(timestamp?: bigint): Promise<SealedHeader>;
  /** Changes accounts, all in one separate block. */
  change(changes: readonly AccountChange[]): Promise<SealedHeader>;
  /**
   * Same for a change that depends on the state: it is computed from the head that its block
   * extends.
   */
  changeFrom(make: (head: SealedHeader) => AccountChange): Promise<SealedHeader>;
  /** Moves the head to a known block, back or forward, between two blocks. */
  setHead(hash: Hash): Promise<void>;
  /** Resolves when the transaction is in a block, or cannot be included now. */
  settled(transaction: Hash): Promise<void>;
  /** Whether a block is produced as soon as a transaction can be included. */
  isAutomatic: boolean;
  /** Interval of blocks in milliseconds, even if they are empty; `undefined` for none. */
  intervalMs: number | undefined;
  time: ChainTime;
  /** Overrides for the next block; consumed by it. */
  nextBlockOverrides: NextBlockOverrides;
}

/** Service key of the chain, for `rpc-dev` and others. */
export const devChain = defineService<DevChain>("consensus-dev.chain", {
  hint: "@plinth/plugin-consensus-dev",
});
