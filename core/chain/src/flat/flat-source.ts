import { EMPTY_ROOT, type Hash } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import {
  EMPTY_SLOT,
  type KeyedAccount,
  type Pace,
  type SlotChange,
  type StateSource,
  type StateTries,
  type StoredSlot,
} from "../state/state-source.js";
import { slotKey, storagePrefix } from "./keys.js";
import { damagedEntry, decodeAccountBody, decodeSlotBody, type FlatValue } from "./record.js";

/** An account with the value that it was read from. */
interface FlatAccount extends StoredAccount {
  readonly value: FlatValue;
}

/** The value that an account of a flat source was read from. */
export function storedValue(account: StoredAccount): FlatValue {
  return (account as FlatAccount).value;
}

/** A slot with the value that it was read from; `undefined` if there was none. */
export interface FlatSlot extends StoredSlot {
  readonly stored: FlatValue | undefined;
}

/** Reads the values and the tries of a state, wherever its block is by now. */
export interface FlatView {
  /** The value of an account or a slot. */
  find(key: Uint8Array): FlatValue | undefined;
  openTries(incarnationOf: (accountKey: Uint8Array) => number): StateTries;
  prepareTries(pace: Pace): Promise<Disposable>;
}

/** What a source reads besides values. */
export interface FlatParts {
  readonly getCode: (hash: Hash) => Uint8Array;
  /** See `StateSource`. */
  readonly markOf?: ((value: FlatValue, storageRoot: Hash) => SlotChange | undefined) | undefined;
}

/** Values that a source keeps: calls on one block read the same few. */
const MAX_KEPT = 1024;

/** A state of the flat layout. */
export class FlatSource implements StateSource {
  readonly root: Hash;
  readonly getCode: (hash: Hash) => Uint8Array;
  readonly markOf: StateSource["markOf"];
  readonly #view: FlatView;
  /** By keys as `hashedKey` shares them. */
  readonly #accounts = new Map<Uint8Array, { readonly account: StoredAccount | undefined }>();

  constructor(root: Hash, view: FlatView, { getCode, markOf }: FlatParts) {
    this.root = root;
    this.#view = view;
    this.getCode = getCode;
    this.markOf = markOf && ((account) => markOf(storedValue(account), account.storageRoot));
  }

  findAccount(key: Uint8Array): StoredAccount | undefined {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known.account;
    const account = this.#readAccount(key);
    if (this.#accounts.size < MAX_KEPT) this.#accounts.set(key, { account });
    return account;
  }

  #readAccount(key: Uint8Array): StoredAccount | undefined {
    const value = this.#view.find(key);
    if (value === undefined || value.body.length === 0) return undefined;
    try {
      return decodeFlatAccount(value);
    } catch (cause) {
      throw damagedEntry(TABLES.accounts, key, cause);
    }
  }

  findSlot({ key, stored }: KeyedAccount, slot: Uint8Array): StoredSlot {
    if (stored.storageRoot === EMPTY_ROOT) return EMPTY_SLOT;
    const { incarnation } = storedValue(stored);
    const value = this.#view.find(slotKey(storagePrefix(key, incarnation), slot));
    const found: FlatSlot = {
      value: value === undefined ? 0n : decodeSlotBody(value.body),
      stored: value,
    };
    return found;
  }

  incarnationOf(key: Uint8Array, stored?: StoredAccount): number {
    const value = stored === undefined ? this.#view.find(key) : storedValue(stored);
    return value?.incarnation ?? 0;
  }

  openTries(): StateTries {
    return this.#view.openTries((key) => this.incarnationOf(key));
  }

  prepareTries(pace: Pace): Promise<Disposable> {
    return this.#view.prepareTries(pace);
  }
}

function decodeFlatAccount(value: FlatValue): FlatAccount | undefined {
  const account = decodeAccountBody(value.body);
  if (account === undefined) return undefined;
  const { nonce, balance, storageRoot, codeHash } = account;
  return { nonce, balance, storageRoot, codeHash, value };
}
