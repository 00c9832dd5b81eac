import { LruMap } from "@plinth/core/primitives";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import type { KeyPair } from "./key-pair.js";
import type { Sodium } from "./sodium.js";

/** Maximum number of cached shared keys. */
const MAX_KEYS = 4096;

/** The key that two parties share; computing it takes longer than encrypting a payload with it. */
export class SharedKeys {
  readonly #sodium: Sodium;
  readonly #keys: LruMap<string, Uint8Array>;

  constructor(sodium: Sodium) {
    this.#sodium = sodium;
    this.#keys = new LruMap({ max: MAX_KEYS, evicted: (key) => sodium.memzero(key) });
  }

  /** Throws for an unusable public key. */
  of(publicKey: Uint8Array, own: KeyPair): Uint8Array {
    const key = this.find(publicKey, own);
    if (key !== undefined) return key;
    throw new EnclaveError(400, "unusable public key");
  }

  find(publicKey: Uint8Array, own: KeyPair): Uint8Array | undefined {
    const name = `${toBase64(publicKey)} ${toBase64(own.publicKey)}`;
    const known = this.#keys.peek(name);
    if (known !== undefined) return known;
    const key = this.#compute(publicKey, own);
    if (key === undefined) return undefined;
    this.#keys.add(name, key);
    return key;
  }

  /** Wipes all of them. */
  clear(): void {
    for (const key of this.#keys.values()) this.#sodium.memzero(key);
    this.#keys.clear();
  }

  #compute(publicKey: Uint8Array, { privateKey }: KeyPair): Uint8Array | undefined {
    try {
      return this.#sodium.crypto_box_beforenm(publicKey, privateKey);
    } catch {
      // The library rejects points of small order, which are not valid keys.
      return undefined;
    }
  }
}
