import type { Address, Hash } from "../../primitives/hex.js";

/** An account found by iterating a state. */
export interface RangedAccount {
  /** The hash of its address. */
  readonly key: Hash;
  /** `undefined` if the preimage of the hash is unknown. */
  readonly address: Address | undefined;
}

/** A slot found by iterating a storage. */
export interface RangedSlot {
  /** The hash of the slot. */
  readonly key: Hash;
  /** `undefined` if the preimage of the hash is unknown. */
  readonly slot: Hash | undefined;
  readonly value: bigint;
}
