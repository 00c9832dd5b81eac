import { type Address, toHex } from "./hex.js";
import { KeccakSponge } from "./keccak/keccak-sponge.js";
import { loadFastestSecp256k1 } from "./secp256k1/load-secp256k1.js";
import type { Secp256k1 } from "./secp256k1/secp256k1.js";

/** The hash function and the curve of Ethereum. */
export interface Crypto extends Secp256k1 {
  /** The Keccak-256 hash, 32 bytes; not the later SHA3-256. */
  keccak256(bytes: Uint8Array): Uint8Array;
  /** Writes the Keccak-256 hash into the first 32 bytes of the target, without an object for it. */
  keccak256Into(bytes: Uint8Array, target: Uint8Array): void;
  /** The address of a public key (64 bytes, without the leading format byte). */
  addressOf(publicKey: Uint8Array): Address;
}

const PUBLIC_KEY_BYTES = 64;
const ADDRESS_BYTES = 20;

let loading: Promise<Crypto> | undefined;
let loaded: Crypto | undefined;

/**
 * Loads the cryptography once; all of its functions are synchronous afterwards.
 *
 * Importing this file is cheap: the libraries are loaded and compiled by the first call.
 */
export function loadCrypto(): Promise<Crypto> {
  loading ??= createCrypto();
  return loading;
}

/** The cryptography, for synchronous code; throws until `loadCrypto` has been awaited once. */
export function getCrypto(): Crypto {
  if (loaded === undefined) {
    throw new Error("the cryptography is not loaded yet; await loadCrypto() first");
  }
  return loaded;
}

async function createCrypto(): Promise<Crypto> {
  const secp256k1 = await loadFastestSecp256k1();
  const sponge = new KeccakSponge();
  const keccak256 = (bytes: Uint8Array) => sponge.hash(bytes);
  loaded = {
    ...secp256k1,
    keccak256,
    keccak256Into: (bytes, target) => sponge.hashInto(bytes, target),
    addressOf(publicKey) {
      if (publicKey.length !== PUBLIC_KEY_BYTES) {
        throw new RangeError(
          `a public key has ${PUBLIC_KEY_BYTES} bytes, this one has ${publicKey.length}`,
        );
      }
      return toHex(keccak256(publicKey).slice(-ADDRESS_BYTES));
    },
  };
  return loaded;
}
