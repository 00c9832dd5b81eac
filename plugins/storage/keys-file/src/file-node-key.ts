import { type Address, type Hash, InvariantError, parseHex } from "@plinth/core";
import type { NodeKey } from "@plinth/core/network";
import type { Crypto, Signature } from "@plinth/core/primitives";

/** A node key whose private key is in memory and never shown, not even by `console.log`. */
export class FileNodeKey implements NodeKey {
  readonly publicKey: Uint8Array;
  readonly address: Address;
  readonly #privateKey: Uint8Array;
  readonly #crypto: Crypto;

  constructor(privateKey: Uint8Array, crypto: Crypto) {
    this.publicKey = crypto.publicKeyOf(privateKey);
    this.address = crypto.addressOf(this.publicKey);
    this.#privateKey = privateKey;
    this.#crypto = crypto;
  }

  async sign(hash: Hash): Promise<Signature> {
    const bytes = parseHex(hash);
    if (bytes === undefined) throw new InvariantError("a hash to sign must be hex");
    return this.#crypto.sign(bytes, this.#privateKey);
  }

  async agree(publicKey: Uint8Array): Promise<Uint8Array> {
    return this.#crypto.agree(this.#privateKey, publicKey);
  }
}
