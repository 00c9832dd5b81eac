import { EMPTY_ROOT, type Hash, toHex } from "@plinth/core";
import { keccakHash } from "@plinth/core/primitives";
import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { slotKey, storageNodeKey, storagePrefix } from "../flat/keys.js";
import { decodeAccountBody, decodeSlotBody } from "../flat/record.js";
import { readFormat } from "../flat/state-format.js";
import { FlatValues } from "../flat/values.js";
import { bytesOf, encodeAccount, encodeSlotValue } from "../state/state-values.js";
import type { Nibbles } from "../state/trie-nodes.js";

/** A trie of a state: that of accounts, or the storage of one. */
export interface WalkedTrie {
  readonly accountKey?: Uint8Array;
}

/** What a verification reads of a layout. */
export interface WalkedStates {
  /** Whether equal storage of several accounts is stored once. */
  readonly sharesStorage: boolean;
  findNode(trie: WalkedTrie, hash: Hash, path: Nibbles): Uint8Array | undefined;
  /** What is wrong with the stored value of a leaf. */
  findProblem(trie: WalkedTrie, key: Uint8Array, leaf: Uint8Array): string | undefined;
}

/** Opens the layout of a database for a verification. */
export function openWalkedStates(source: { table(name: string): Table }): WalkedStates {
  return readFormat(source) === "BONSAI" ? openFlat(source) : openForest(source);
}

/** The root of the only state of a flat layout; `undefined` if the database has another layout. */
export function findFlatRoot(source: { table(name: string): Table }): Hash | undefined {
  if (readFormat(source) !== "BONSAI") return undefined;
  const top = source.table(TABLES.accountNodes).getSync(new Uint8Array());
  return top === undefined ? EMPTY_ROOT : keccakHash(top);
}

function openForest(source: { table(name: string): Table }): WalkedStates {
  const nodes = source.table(TABLES.trieNodes);
  return {
    sharesStorage: true,
    findNode: (_, hash) => nodes.getSync(bytesOf(hash)),
    findProblem: () => undefined,
  };
}

function openFlat(source: { table(name: string): Table }): WalkedStates {
  const accountNodes = source.table(TABLES.accountNodes);
  const storageNodes = source.table(TABLES.storageNodes);
  const values = new FlatValues(source);
  const prefixOf = (accountKey: Uint8Array) =>
    storagePrefix(accountKey, values.findLatest(accountKey)?.incarnation ?? 0);
  return {
    sharesStorage: false,
    findNode: ({ accountKey }, _, path) =>
      accountKey === undefined
        ? accountNodes.getSync(path)
        : storageNodes.getSync(storageNodeKey(prefixOf(accountKey), path)),
    findProblem({ accountKey }, key, leaf) {
      if (accountKey === undefined) {
        const account = decodeAccountBody(values.findLatest(key)?.body ?? new Uint8Array());
        const bytes = account && encodeAccount(account);
        return isEqual(bytes, leaf) ? undefined : `the account ${toHex(key)} differs from its trie`;
      }
      const body = values.findLatest(slotKey(prefixOf(accountKey), key))?.body;
      const bytes = body && encodeSlotValue(decodeSlotBody(body));
      const where = `the slot ${toHex(key)} of the account ${toHex(accountKey)}`;
      return isEqual(bytes, leaf) ? undefined : `${where} differs from its trie`;
    },
  };
}

function isEqual(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0;
}
