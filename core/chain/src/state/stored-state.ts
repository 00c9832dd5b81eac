import { type Address, EMPTY_ROOT, type Hash, type StateReader } from "@plinth/core";
import { type Account, EMPTY_CODE_HASH } from "@plinth/core/evm";
import { hashedKey } from "./hashed-key.js";
import type { StateSource } from "./state-source.js";

/**
 * A stored state for a few reads: it keeps nothing, where a `JournaledState` costs more than the value that most callers
 * read. Not for states whose values may be missing.
 */
export class StoredState implements StateReader {
  readonly #source: StateSource;

  constructor(source: StateSource) {
    this.#source = source;
  }

  findAccount(address: Address): Account | undefined {
    const stored = this.#source.findAccount(hashedKey(address));
    return stored && { nonce: stored.nonce, balance: stored.balance, codeHash: stored.codeHash };
  }

  getCode(address: Address): Uint8Array {
    const codeHash = this.findAccount(address)?.codeHash ?? EMPTY_CODE_HASH;
    return codeHash === EMPTY_CODE_HASH ? new Uint8Array() : this.#source.getCode(codeHash);
  }

  getStorage(address: Address, slot: Hash): bigint {
    const key = hashedKey(address);
    const stored = this.#source.findAccount(key);
    if (stored === undefined || stored.storageRoot === EMPTY_ROOT) return 0n;
    return this.#source.findSlot({ key, stored }, hashedKey(slot)).value;
  }
}
