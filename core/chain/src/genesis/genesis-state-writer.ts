import { EMPTY_ROOT, type Hash, type KeyValueStore, keccak256, toHex } from "@plinth/core";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { TABLES, type WriteBatch } from "@plinth/core/storage";
import { formatEntry, type StateFormat } from "../flat/state-format.js";
import { bytesOf } from "../state/state-values.js";
import { BatchPieces } from "../store/batch-pieces.js";
import type { GenesisAccount } from "./alloc.js";
import type { KeyedAccount } from "./genesis-accounts.js";
import { FlatTables, HashedTables, type StateTables } from "./state-tables.js";

/** Writes the state of block 0 in the layout of a database, in pieces. */
export interface GenesisStateWriter {
  /** Accounts in the order of their keys. Returns a promise if a piece has to be written first. */
  addAccount(account: KeyedAccount): Promise<void> | undefined;
  /** Writes the rest, together with what the caller puts; returns the root. */
  finish(put?: (batch: Pick<WriteBatch, "put">, root: Hash) => void): Promise<Hash>;
}

/** Creates a writer; without a store, only the root is computed. */
export function createStateWriter(
  store: KeyValueStore | undefined,
  format: StateFormat,
): GenesisStateWriter {
  const pieces = new BatchPieces(store);
  const tables = format === "BONSAI" ? new FlatTables(pieces) : new HashedTables(pieces);
  return {
    addAccount({ key, account }) {
      const storageRoot = addStorage(key, account, { pieces, tables });
      const codeHash = addCode(account, pieces);
      const { address, nonce, balance } = account;
      pieces.put(TABLES.preimages, key, bytesOf(address));
      tables.addAccount(key, { nonce, balance, storageRoot, codeHash });
      return pieces.isFull ? pieces.commit() : undefined;
    },
    async finish(put) {
      const root = tables.finish();
      pieces.put(TABLES.chain, ...formatEntry(format));
      put?.(pieces, root);
      await pieces.commit();
      return root;
    },
  };
}

function addStorage(
  accountKey: Uint8Array,
  { storage }: GenesisAccount,
  { pieces, tables }: { readonly pieces: BatchPieces; readonly tables: StateTables },
): Hash {
  if (storage.size === 0) return EMPTY_ROOT;
  const slots = Array.from(storage, ([slot, value]) => {
    const bytes = bytesOf(slot);
    return { key: keccak256(bytes), bytes, value };
  });
  slots.sort((a, b) => Buffer.compare(a.key, b.key));
  for (const { key, bytes } of slots) pieces.put(TABLES.preimages, key, bytes);
  return tables.addSlots(accountKey, slots);
}

function addCode({ code }: GenesisAccount, pieces: BatchPieces): Hash {
  if (code.length === 0) return EMPTY_CODE_HASH;
  const hash = keccak256(code);
  pieces.put(TABLES.code, hash, code);
  return toHex(hash);
}
