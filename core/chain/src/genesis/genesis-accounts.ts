import type { Address } from "@plinth/core";
import type { AllocatedAccounts } from "@plinth/core/consensus";
import { hashedKey } from "../state/hashed-key.js";
import { entriesOfAlloc, type GenesisAccount, mergeAccounts, readAccount } from "./alloc.js";

/** An account and its key in the trie. */
export interface KeyedAccount {
  readonly key: Uint8Array;
  readonly account: GenesisAccount;
}

/** What the checks of a genesis file read of its accounts. */
export interface AllocFacts extends AllocatedAccounts {
  /** Names of accounts as in the file: all of them, or only those that are short or repeated. */
  readonly names: readonly string[];
}

/** All accounts of a genesis file, validated. */
export interface GenesisAccounts extends AllocFacts {
  readonly count: number;
  /** In the order of their keys, one for each address. */
  sorted(): Iterable<KeyedAccount>;
  /** Throws if the file was changed since it was read. */
  verifyUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** The accounts of a genesis file that is in memory. */
export class AccountsInMemory implements GenesisAccounts {
  readonly names: readonly string[];
  readonly #accounts = new Map<Address, GenesisAccount>();

  /** Throws a `ConfigError` that names the first invalid account. */
  constructor(alloc: unknown, origin: string) {
    const entries = entriesOfAlloc(alloc, origin);
    this.names = entries.map(([name]) => name);
    for (const [name, value] of entries) {
      const account = readAccount(name, value, origin);
      const other = this.#accounts.get(account.address);
      const merged = other === undefined ? account : mergeAccounts([other, account]);
      this.#accounts.set(account.address, merged);
    }
  }

  get count(): number {
    return this.#accounts.size;
  }

  get hasFunds(): boolean {
    return [...this.#accounts.values()].some(({ balance }) => balance > 0n);
  }

  get(address: Address): GenesisAccount | undefined {
    return this.#accounts.get(address);
  }

  sorted(): Iterable<KeyedAccount> {
    return [...this.#accounts.values()]
      .map((account) => ({ key: hashedKey(account.address), account }))
      .sort((a, b) => Buffer.compare(a.key, b.key));
  }

  async verifyUnchanged(): Promise<void> {}

  async close(): Promise<void> {}
}
