import { type Address, EMPTY_ROOT, type Hash, type StateReader } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";
import { type Account, EMPTY_CODE_HASH } from "@plinth/core/evm";
import { hashedKey } from "./hashed-key.js";
import type { StateSource } from "./state-source.js";

/**
 * A stored state for a few reads: it keeps the last account only, where a `JournaledState` costs more than the value that
 * most callers read. Not for states whose values may be missing.
 */
export class StoredState implements StateReader {
  readonly #source: StateSource;
  #last: { readonly address: Address; readonly stored: StoredAccount | undefined } | undefined;

  constructor(source: StateSource) {
    this.#source = source;
  }

  findAccount(address: Address): Account | undefined {
    const stored = this.#findStored(address);
    return stored && { nonce: stored.nonce, balance: stored.balance, codeHash: stored.codeHash };
  }

  getCode(address: Address): Uint8Array {
    const codeHash = this.findAccount(address)?.codeHash ?? EMPTY_CODE_HASH;
    return codeHash === EMPTY_CODE_HASH ? new Uint8Array() : this.#source.getCode(codeHash);
  }

  getStorage(address: Address, slot: Hash): bigint {
    const stored = this.#findStored(address);
    if (stored === undefined || stored.storageRoot === EMPTY_ROOT) return 0n;
    const account = { key: hashedKey(address), stored };
    return this.#source.findSlot(account, hashedKey(slot)).value;
  }

  #findStored(address: Address): StoredAccount | undefined {
    if (this.#last?.address === address) return this.#last.stored;
    const stored = this.#source.findAccount(hashedKey(address));
    this.#last = { address, stored };
    return stored;
  }
}
