import type { Address, Hash } from "../primitives/hex.js";

/** An account as a walk through a state meets it. */
export interface RangedAccount {
  /** The hash of its address. */
  readonly key: Hash;
  /** `undefined` when the preimage of the hash is not known. */
  readonly address: Address | undefined;
}

/** A slot as a walk through a storage meets it. */
export interface RangedSlot {
  /** The hash of the slot. */
  readonly key: Hash;
  /** `undefined` when the preimage of the hash is not known. */
  readonly slot: Hash | undefined;
  readonly value: bigint;
}
