import { type Address, type Hash, hexToBytes, type KeyValueStore, toHex } from "@plinth/core";
import type { AllocatedAccount } from "@plinth/core/consensus";
import { TABLES, type WriteBatch } from "@plinth/core/storage";
import type { AllocFacts } from "./genesis-accounts.js";

const KEY = Buffer.from("genesis-accounts");

/** What an earlier start found out about the accounts of a genesis file. */
export interface GenesisRecord {
  /** Identifies the accounts: a change of the file changes it. */
  readonly digest: string;
  /** The root of the state. */
  readonly root: Hash;
  /** What the checks read; `undefined` if they read a file in memory. */
  readonly facts?: RecordedFacts | undefined;
}

/** The results of `AllocFacts`, as JSON. */
export interface RecordedFacts {
  readonly names: readonly string[];
  readonly hasFunds: boolean;
  /** Accounts that were requested, by address; `null` for one that does not exist. */
  readonly accounts: Readonly<
    Record<Address, { readonly balance: string; readonly code: string } | null>
  >;
}

/** A check requested an account that no earlier start requested. */
export class AccountNotRecorded extends Error {}

/** The record in a database; `undefined` if there is none for these accounts. */
export function findGenesisRecord(
  store: Pick<KeyValueStore, "table">,
  digest: string,
): GenesisRecord | undefined {
  const bytes = store.table(TABLES.chain).getSync(KEY);
  if (bytes === undefined) return undefined;
  const record: GenesisRecord = JSON.parse(Buffer.from(bytes).toString("utf8"));
  return record.digest === digest ? record : undefined;
}

/** Replaces the record. */
export function putGenesisRecord(batch: Pick<WriteBatch, "put">, record: GenesisRecord): void {
  batch.put(TABLES.chain, KEY, Buffer.from(JSON.stringify(record)));
}

/** Removes the record: the state that it describes is about to be replaced. */
export async function removeGenesisRecord(store: Pick<KeyValueStore, "batch">): Promise<void> {
  const batch = store.batch();
  batch.delete(TABLES.chain, KEY);
  await batch.commit();
}

/** Facts whose results are recorded for later starts. */
export class RecordingFacts implements AllocFacts {
  readonly #facts: AllocFacts;
  readonly #accounts = new Map<Address, AllocatedAccount | undefined>();

  constructor(facts: AllocFacts) {
    this.#facts = facts;
  }

  get names(): readonly string[] {
    return this.#facts.names;
  }

  get hasFunds(): boolean {
    return this.#facts.hasFunds;
  }

  get(address: Address): AllocatedAccount | undefined {
    const account = this.#facts.get(address);
    this.#accounts.set(address, account);
    return account;
  }

  /** The results so far. */
  record(): RecordedFacts {
    const accounts = Array.from(this.#accounts, ([address, account]) => [
      address,
      account === undefined
        ? null
        : { balance: String(account.balance), code: toHex(account.code) },
    ]);
    const { names, hasFunds } = this;
    return { names, hasFunds, accounts: Object.fromEntries(accounts) };
  }
}

/** Facts of an earlier start; throws `AccountNotRecorded` for accounts that it did not read. */
export function replayFacts({ names, hasFunds, accounts }: RecordedFacts): AllocFacts {
  return {
    names,
    hasFunds,
    get(address) {
      const account = accounts[address];
      if (account === undefined) throw new AccountNotRecorded(address);
      if (account === null) return undefined;
      return { balance: BigInt(account.balance), code: hexToBytes(account.code) };
    },
  };
}
