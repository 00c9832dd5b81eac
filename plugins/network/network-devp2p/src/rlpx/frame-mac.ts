import { type Cipher, createCipheriv } from "node:crypto";
import type { RunningKeccak } from "@plinth/core/primitives";

/** The MAC of one direction: a hash over all frames so far. */
export class FrameMac {
  readonly #hash: RunningKeccak;
  readonly #cipher: Cipher;

  constructor(hash: RunningKeccak, secret: Uint8Array) {
    this.#hash = hash;
    this.#cipher = createCipheriv("aes-256-ecb", secret, null).setAutoPadding(false);
  }

  /** The 16 bytes that follow an encrypted header. */
  header(header: Uint8Array): Uint8Array {
    return this.#mix(header);
  }

  /** Adds a part of an encrypted, padded body. */
  update(part: Uint8Array): void {
    this.#hash.update(part);
  }

  /** The 16 bytes that follow an encrypted, padded body, after all of its parts. */
  body(): Uint8Array {
    return this.#mix(this.#hash.digest().subarray(0, 16));
  }

  #mix(seed: Uint8Array): Uint8Array {
    const block = this.#cipher.update(this.#hash.digest().subarray(0, 16));
    for (let index = 0; index < 16; index++)
      block[index] = (block[index] ?? 0) ^ (seed[index] ?? 0);
    this.#hash.update(block);
    return this.#hash.digest().subarray(0, 16);
  }
}
