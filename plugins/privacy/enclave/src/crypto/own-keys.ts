import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import type { KeyPair } from "./key-pair.js";

/** The key pairs of a manager; the first one is the default. */
export class OwnKeys {
  readonly #pairs: ReadonlyMap<string, KeyPair>;
  readonly #usual: KeyPair;

  constructor(pairs: readonly [KeyPair, ...KeyPair[]]) {
    this.#pairs = new Map(pairs.map((pair) => [toBase64(pair.publicKey), pair]));
    this.#usual = pairs[0];
  }

  get usual(): KeyPair {
    return this.#usual;
  }

  all(): readonly KeyPair[] {
    return [...this.#pairs.values()];
  }

  has(publicKey: Uint8Array): boolean {
    return this.#pairs.has(toBase64(publicKey));
  }

  find(publicKey: Uint8Array): KeyPair | undefined {
    return this.#pairs.get(toBase64(publicKey));
  }

  /** The pair of a public key; throws if it is not one of them. */
  get(publicKey: Uint8Array): KeyPair {
    const pair = this.find(publicKey);
    if (pair !== undefined) return pair;
    const key = toBase64(publicKey);
    throw new EnclaveError(404, `Public key ${key} not found when searching for private key`);
  }
}
