import type { Address, Hash } from "../primitives/hex.js";

/** An account as the state holds it. */
export interface Account {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly codeHash: Hash;
}

/** The hash of no code. */
export const EMPTY_CODE_HASH: Hash =
  "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

/** Reads the state after some block; synchronous, because an EVM asks thousands of times per block. */
export interface StateReader {
  /** `undefined` when there is no such account. */
  findAccount(address: Address): Account | undefined;
  /** Empty when there is none. */
  getCode(address: Address): Uint8Array;
  /** Zero when there is none. */
  getStorage(address: Address, slot: Hash): bigint;
}

/**
 * A state that an EVM changes.
 *
 * Changes are kept in a journal: `checkpoint` begins a frame, `commit` keeps it as part of the one
 * around it, `revert` takes everything since back. Nothing is hashed or written before the end of a
 * block.
 */
export interface WorldState extends StateReader {
  /** Whether an account may have slots that are not zero. */
  hasStorage(address: Address): boolean;
  /** Whether an account can only be read here, even where nothing about it would change; none when left out. */
  isReadOnly?(address: Address): boolean;
  /** Makes the account when it is missing. */
  setAccount(
    address: Address,
    change: { readonly nonce?: bigint; readonly balance?: bigint },
  ): void;
  setCode(address: Address, code: Uint8Array): void;
  /** Zero removes the slot. */
  setStorage(address: Address, slot: Hash, value: bigint): void;
  /** Removes every slot of an account. */
  clearStorage(address: Address): void;
  /** Removes the account with its code and storage. */
  deleteAccount(address: Address): void;

  checkpoint(): void;
  commit(): void;
  revert(): void;
}
