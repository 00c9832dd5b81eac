import { type Address, defineService, type Hash, type SealedHeader } from "@plinth/core";
import type { BlockWishes } from "./next-block.js";

export type { BlockWishes } from "./next-block.js";

/** What to change about an account; what is left out stays as it is. */
export interface AccountChange {
  readonly address: Address;
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  readonly storage?: readonly { readonly slot: Hash; readonly value: bigint }[] | undefined;
}

/** How far the chain's clock is from the machine's, and when its next block must be. */
export interface ChainTime {
  readonly offsetSeconds: bigint;
  readonly next: bigint | undefined;
  /** How many seconds each block is after its parent, whatever the machine's clock says; `undefined` to follow that. */
  readonly step?: bigint | undefined;
}

/** A development chain in the hands of a test: its blocks, its time, its accounts. */
export interface DevChain {
  /** Makes a block now, with what waits in the pool; its time is the chain's unless one is given. */
  mine(timestamp?: bigint): Promise<SealedHeader>;
  /** Changes accounts, all in a block of their own. */
  change(changes: readonly AccountChange[]): Promise<SealedHeader>;
  /** The same, for a change that depends on the state: it is made from the head that its block follows. */
  changeFrom(make: (head: SealedHeader) => AccountChange): Promise<SealedHeader>;
  /** Goes back, or forward, to a known block between two blocks. */
  setHead(hash: Hash): Promise<void>;
  /** Resolves when the transaction is in a block, or when no block can take it now. */
  settled(transaction: Hash): Promise<void>;
  /** Whether a block is made as soon as a transaction can go into it. */
  isAutomatic: boolean;
  /** A block every so many milliseconds, empty ones too; `undefined` for none. */
  intervalMs: number | undefined;
  time: ChainTime;
  /** What the next block is to be like; used up by it. */
  wishes: BlockWishes;
}

/** Where `rpc-dev` and others find the chain. */
export const devChain = defineService<DevChain>("consensus-dev.chain", {
  hint: "@plinth/plugin-consensus-dev",
});
