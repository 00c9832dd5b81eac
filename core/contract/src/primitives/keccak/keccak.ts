import { getCrypto } from "../crypto.js";
import { type Hash, toHex } from "../hex.js";

/** The Keccak-256 hash, 32 bytes; throws until `loadCrypto` has been awaited once. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return getCrypto().keccak256(bytes);
}

/** Writes the Keccak-256 hash into the first 32 bytes of the target; throws until `loadCrypto` has been awaited once. */
export function keccak256Into(bytes: Uint8Array, target: Uint8Array): void {
  getCrypto().keccak256Into(bytes, target);
}

/** The Keccak-256 hash as hex; throws until `loadCrypto` has been awaited once. */
export function keccakHash(bytes: Uint8Array): Hash {
  return toHex(getCrypto().keccak256(bytes));
}
