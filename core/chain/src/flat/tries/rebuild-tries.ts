import { EMPTY_ROOT, type Hash, type KeyValueStore, StorageError, toHex } from "@plinth/core";
import { TABLES } from "@plinth/core/storage";
import { type BuiltNode, TrieBuilder } from "../../state/build-trie.js";
import { encodeAccount, encodeSlotValue } from "../../state/state-values.js";
import { BatchPieces } from "../../store/batch-pieces.js";
import { storageNodeKey, storagePrefix, trieKeyOfSlot } from "../keys.js";
import { decodeAccountBody, decodeRecord, decodeSlotBody } from "../record.js";

/** Receives the nodes of a trie: that of accounts, or the storage with a prefix. */
type Emit = (node: BuiltNode, prefix?: Uint8Array) => void;

/**
 * Writes the tries of the head again, from its values.
 *
 * Throws `STORAGE_DAMAGED`, and writes nothing, if the values have another root. Nothing else may be written meanwhile.
 * Once the signal is aborted it throws its reason: nodes that were written by then are right.
 */
export async function rebuildTries(
  store: KeyValueStore,
  root: Hash,
  signal?: AbortSignal,
): Promise<void> {
  const found = await buildTries(new BatchPieces(undefined), store, signal);
  if (found !== root) throw damagedValues(`the accounts have the root ${found} instead of ${root}`);
  await buildTries(new BatchPieces(store), store, signal);
}

/**
 * Writes the tries of values into empty tables.
 *
 * Throws `STORAGE_DAMAGED` if the values have another root; what was written is of no use then.
 */
export async function writeTries(
  store: KeyValueStore,
  root: Hash,
  signal?: AbortSignal,
): Promise<void> {
  const found = await buildTries(new BatchPieces(store), store, signal);
  if (found !== root) throw damagedValues(`the accounts have the root ${found} instead of ${root}`);
}

async function buildTries(
  pieces: BatchPieces,
  store: KeyValueStore,
  signal: AbortSignal | undefined,
): Promise<Hash> {
  const emit: Emit = ({ path, bytes }, prefix) =>
    prefix === undefined
      ? pieces.put(TABLES.accountNodes, path, bytes)
      : pieces.put(TABLES.storageNodes, storageNodeKey(prefix, path), bytes);
  const accounts = new TrieBuilder(emit);
  for await (const [key, bytes] of store.table(TABLES.accounts).iterate()) {
    signal?.throwIfAborted();
    const { incarnation, body } = decodeRecord(bytes);
    const account = decodeAccountBody(body);
    if (account === undefined) continue;
    if (account.storageRoot !== EMPTY_ROOT) {
      const root = await buildStorage(store, { pieces, emit, key, incarnation, signal });
      if (root !== account.storageRoot) {
        throw damagedValues(
          `the storage of the account ${toHex(key)} has the root ${root} instead of ${account.storageRoot}`,
        );
      }
    }
    accounts.add(key, encodeAccount(account));
    if (pieces.isFull) await pieces.commit();
  }
  const root = accounts.finish();
  await pieces.commit();
  return root;
}

async function buildStorage(
  store: KeyValueStore,
  { pieces, emit, key, incarnation, signal }: StoragePlace,
): Promise<Hash> {
  const prefix = storagePrefix(key, incarnation);
  const trie = new TrieBuilder((node) => emit(node, prefix));
  const range = { from: prefix, to: storagePrefix(key, incarnation + 1) };
  for await (const [slot, bytes] of store.table(TABLES.slots).iterate(range)) {
    signal?.throwIfAborted();
    const { body } = decodeRecord(bytes);
    if (body.length === 0) continue;
    trie.add(trieKeyOfSlot(slot), encodeSlotValue(decodeSlotBody(body)));
    if (pieces.isFull) await pieces.commit();
  }
  return trie.finish();
}

interface StoragePlace {
  readonly pieces: BatchPieces;
  readonly emit: Emit;
  readonly key: Uint8Array;
  readonly incarnation: number;
  readonly signal: AbortSignal | undefined;
}

function damagedValues(problem: string): StorageError {
  return new StorageError("STORAGE_DAMAGED", {
    message: `the database is damaged: ${problem}`,
    table: TABLES.accounts,
  });
}
