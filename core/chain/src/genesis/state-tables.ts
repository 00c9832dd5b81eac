import type { Hash } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import { slotKey, storageNodeKey, storagePrefix } from "../flat/keys.js";
import { encodeAccountBody, encodeRecord, encodeSlotBody } from "../flat/record.js";
import { TrieBuilder } from "../state/build-trie.js";
import { encodeAccount, encodeSlotValue } from "../state/state-values.js";
import type { BatchPieces } from "../store/batch-pieces.js";

/** A slot of an account, by its key in the storage trie. */
export interface KeyedSlot {
  readonly key: Uint8Array;
  readonly value: bigint;
}

/** The tables of a layout, filled in the order of keys. */
export interface StateTables {
  addAccount(key: Uint8Array, account: StoredAccount): void;
  /** Returns the root of the storage trie. */
  addSlots(accountKey: Uint8Array, slots: readonly KeyedSlot[]): Hash;
  /** Returns the root of the account trie. */
  finish(): Hash;
}

/** Tries as nodes by hash. */
export class HashedTables implements StateTables {
  readonly #pieces: BatchPieces;
  readonly #accounts: TrieBuilder;

  constructor(pieces: BatchPieces) {
    this.#pieces = pieces;
    this.#accounts = this.#createTrie();
  }

  addAccount(key: Uint8Array, account: StoredAccount): void {
    this.#accounts.add(key, encodeAccount(account));
  }

  addSlots(_: Uint8Array, slots: readonly KeyedSlot[]): Hash {
    return addAll(this.#createTrie(), slots);
  }

  finish(): Hash {
    return this.#accounts.finish();
  }

  #createTrie(): TrieBuilder {
    return new TrieBuilder(({ hash, bytes }) => this.#pieces.put(TABLES.trieNodes, hash, bytes));
  }
}

/** Values, and tries as nodes by path. */
export class FlatTables implements StateTables {
  readonly #pieces: BatchPieces;
  readonly #accounts: TrieBuilder;

  constructor(pieces: BatchPieces) {
    this.#pieces = pieces;
    this.#accounts = new TrieBuilder(({ path, bytes }) =>
      pieces.put(TABLES.accountNodes, path, bytes),
    );
  }

  addAccount(key: Uint8Array, account: StoredAccount): void {
    this.#accounts.add(key, encodeAccount(account));
    this.#pieces.put(TABLES.accounts, key, firstRecord(encodeAccountBody(account)));
  }

  addSlots(accountKey: Uint8Array, slots: readonly KeyedSlot[]): Hash {
    const prefix = storagePrefix(accountKey, 0);
    for (const { key, value } of slots) {
      this.#pieces.put(TABLES.slots, slotKey(prefix, key), firstRecord(encodeSlotBody(value)));
    }
    const trie = new TrieBuilder(({ path, bytes }) =>
      this.#pieces.put(TABLES.storageNodes, storageNodeKey(prefix, path), bytes),
    );
    return addAll(trie, slots);
  }

  finish(): Hash {
    return this.#accounts.finish();
  }
}

function firstRecord(body: Uint8Array): Uint8Array {
  return encodeRecord({ since: 0, version: 0, incarnation: 0, body });
}

function addAll(trie: TrieBuilder, slots: readonly KeyedSlot[]): Hash {
  for (const { key, value } of slots) trie.add(key, encodeSlotValue(value));
  return trie.finish();
}
