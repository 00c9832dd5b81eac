import { EMPTY_ROOT, type Hash, type KeyValueStore, keccak256, toHex } from "@plinth/core";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { TABLES, type WriteBatch } from "@plinth/core/storage";
import { TrieBuilder } from "../state/build-trie.js";
import { bytesOf, encodeAccount, encodeSlotValue } from "../state/state-values.js";
import type { GenesisAccount } from "./alloc.js";
import type { KeyedAccount } from "./genesis-accounts.js";

const BATCH_BYTES = 1024 * 1024;

/** Writes the state of block 0 in the layout of a database, in pieces. */
export interface GenesisStateWriter {
  /** Accounts in the order of their keys. Returns a promise if a piece has to be written first. */
  addAccount(account: KeyedAccount): Promise<void> | undefined;
  /** Writes the rest, together with what the caller puts; returns the root. */
  finish(put?: (batch: Pick<WriteBatch, "put">, root: Hash) => void): Promise<Hash>;
}

/** Writes tries as nodes by hash; without a store, only the root is computed. */
export function createHashedStateWriter(store: KeyValueStore | undefined): GenesisStateWriter {
  const pieces = new BatchPieces(store);
  const accounts = new TrieBuilder(({ hash, bytes }) => pieces.put(TABLES.trieNodes, hash, bytes));
  return {
    addAccount({ key, account }) {
      const storageRoot = addStorage(account, pieces);
      const codeHash = addCode(account, pieces);
      const { address, nonce, balance } = account;
      pieces.put(TABLES.preimages, key, bytesOf(address));
      accounts.add(key, encodeAccount({ nonce, balance, storageRoot, codeHash }));
      return pieces.isFull ? pieces.commit() : undefined;
    },
    async finish(put) {
      const root = accounts.finish();
      put?.(pieces, root);
      await pieces.commit();
      return root;
    },
  };
}

function addStorage({ storage }: GenesisAccount, pieces: BatchPieces): Hash {
  if (storage.size === 0) return EMPTY_ROOT;
  const trie = new TrieBuilder(({ hash, bytes }) => pieces.put(TABLES.trieNodes, hash, bytes));
  const slots = Array.from(storage, ([slot, value]) => {
    const bytes = bytesOf(slot);
    return { key: keccak256(bytes), bytes, value };
  });
  slots.sort((a, b) => Buffer.compare(a.key, b.key));
  for (const { key, bytes, value } of slots) {
    pieces.put(TABLES.preimages, key, bytes);
    trie.add(key, encodeSlotValue(value));
  }
  return trie.finish();
}

function addCode({ code }: GenesisAccount, pieces: BatchPieces): Hash {
  if (code.length === 0) return EMPTY_CODE_HASH;
  const hash = keccak256(code);
  pieces.put(TABLES.code, hash, code);
  return toHex(hash);
}

/** Batches of bounded size; they are written in order, each before the next one is filled. */
class BatchPieces {
  readonly #store: KeyValueStore | undefined;
  #batch: WriteBatch | undefined;
  #bytes = 0;

  constructor(store: KeyValueStore | undefined) {
    this.#store = store;
  }

  get isFull(): boolean {
    return this.#bytes >= BATCH_BYTES;
  }

  put(table: string, key: Uint8Array, value: Uint8Array): void {
    if (this.#store === undefined) return;
    this.#batch ??= this.#store.batch();
    this.#batch.put(table, key, value);
    this.#bytes += key.length + value.length;
  }

  async commit(): Promise<void> {
    const batch = this.#batch;
    this.#batch = undefined;
    this.#bytes = 0;
    await batch?.commit();
  }
}
