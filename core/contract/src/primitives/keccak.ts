import { getCrypto } from "./crypto.js";
import { type Hash, toHex } from "./hex.js";

/** The Keccak-256 hash, 32 bytes; throws until `loadCrypto` has been awaited once. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return getCrypto().keccak256(bytes);
}

/** The Keccak-256 hash as hex; throws until `loadCrypto` has been awaited once. */
export function keccakHash(bytes: Uint8Array): Hash {
  return toHex(getCrypto().keccak256(bytes));
}
