import { toBase64 } from "./base64.js";
import { EnclaveError } from "./errors.js";
import type { KeyPair } from "./sealing.js";
import type { Sodium } from "./sodium.js";

/** Pairs of keys that payloads go between. */
const MAX_KEYS = 4096;

/** The key that two parties share; it takes longer to compute than to encrypt a payload with it. */
export class SharedKeys {
  readonly #sodium: Sodium;
  readonly #keys = new Map<string, Uint8Array>();

  constructor(sodium: Sodium) {
    this.#sodium = sodium;
  }

  of(publicKey: Uint8Array, own: KeyPair): Uint8Array {
    const name = `${toBase64(publicKey)} ${toBase64(own.publicKey)}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = this.#compute(publicKey, own);
    this.#keys.set(name, key);
    if (this.#keys.size > MAX_KEYS) this.#forgetOldest();
    return key;
  }

  /** Wipes all of them. */
  clear(): void {
    for (const key of this.#keys.values()) this.#sodium.memzero(key);
    this.#keys.clear();
  }

  #compute(publicKey: Uint8Array, { privateKey }: KeyPair): Uint8Array {
    try {
      return this.#sodium.crypto_box_beforenm(publicKey, privateKey);
    } catch {
      throw new EnclaveError(400, "a public key is not one that can be used");
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#keys;
    if (oldest === undefined) return;
    const [name, key] = oldest;
    this.#sodium.memzero(key);
    this.#keys.delete(name);
  }
}
