import type { Address, Hash } from "../primitives/hex.js";

/** An account of the state. */
export interface Account {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly codeHash: Hash;
}

/** The hash of empty code. */
export const EMPTY_CODE_HASH: Hash =
  "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

/**
 * Reads the state after some block; synchronous, because an EVM reads thousands of times per block.
 */
export interface StateReader {
  /** `undefined` if the account does not exist. */
  findAccount(address: Address): Account | undefined;
  /** Empty if there is none. */
  getCode(address: Address): Uint8Array;
  /** Zero if there is none. */
  getStorage(address: Address, slot: Hash): bigint;
}

/**
 * A state that an EVM changes.
 *
 * Changes are journaled: `checkpoint` starts a frame, `commit` merges it into the enclosing one,
 * `revert` undoes everything since. Nothing is hashed or written before the end of a block.
 */
export interface WorldState extends StateReader {
  /** Whether an account may have non-zero slots. */
  hasStorage(address: Address): boolean;
  /** Whether an account is read-only, even for writes without effect; none by default. */
  isReadOnly?(address: Address): boolean;
  /** Creates the account if it is missing. */
  setAccount(
    address: Address,
    change: { readonly nonce?: bigint; readonly balance?: bigint },
  ): void;
  setCode(address: Address, code: Uint8Array): void;
  /** Zero deletes the slot. */
  setStorage(address: Address, slot: Hash, value: bigint): void;
  /** Deletes all slots of an account. */
  clearStorage(address: Address): void;
  /** Removes the account with its code and storage. */
  deleteAccount(address: Address): void;

  checkpoint(): void;
  commit(): void;
  revert(): void;
}
