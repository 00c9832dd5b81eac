import { type Address, type Hash, hexToBytes, keccak256, toHex } from "@plinth/core";

/** An address with its hash. */
export interface KeyedAddress {
  readonly address: Address;
  /** The hash of the address. */
  readonly key: Hash;
}

/** An account of another node, without its storage. */
export interface RemoteAccount extends KeyedAddress {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  /** The root of its storage, if it was delivered with the account. */
  readonly storageRoot?: Hash;
}

/** An address with its hash. */
export function withKey(address: Address): KeyedAddress {
  return { address, key: toHex(keccak256(hexToBytes(address))) };
}
