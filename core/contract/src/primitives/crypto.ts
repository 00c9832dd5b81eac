/// <reference path="./keccak-wasm.d.ts" />
import { type Address, toHex } from "./hex.js";
import { loadFastestSecp256k1 } from "./secp256k1/load-secp256k1.js";
import type { Secp256k1 } from "./secp256k1/secp256k1.js";

/** The hash function and the curve of Ethereum. */
export interface Crypto extends Secp256k1 {
  /** The Keccak-256 hash, 32 bytes; not the later SHA3-256. */
  keccak256(bytes: Uint8Array): Uint8Array;
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
  const [secp256k1, keccak256] = await Promise.all([loadFastestSecp256k1(), loadKeccak256()]);
  loaded = {
    ...secp256k1,
    keccak256,
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

async function loadKeccak256(): Promise<Crypto["keccak256"]> {
  // The package's main entry loads every hash: 50 ms instead of 18.
  const { default: hashWasm } = await import("hash-wasm/dist/keccak.umd.min.js");
  const hasher = await hashWasm.createKeccak(256);
  return (bytes) => hasher.init().update(bytes).digest("binary");
}
