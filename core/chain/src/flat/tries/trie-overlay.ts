import { keccak256, StorageError, toHex } from "@plinth/core";
import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import type { NodeCache } from "../../state/node-cache.js";
import { textOf } from "../../state/state-values.js";
import type { NodeReader } from "../../state/trie.js";
import { decodeNode, encodeNode, type Nibbles, type TrieNode } from "../../state/trie-nodes.js";
import type { TrieUpdate } from "../../state/update/update-trie.js";
import { storageNodeKey } from "../keys.js";

/** Where nodes are written. */
export interface NodeSink {
  put(table: string, key: Uint8Array, value: Uint8Array): void;
  delete(table: string, key: Uint8Array): void;
}

/** The tries of the head, by path, with changes in memory on top of them. */
export class TrieOverlay {
  readonly #source: { table(name: string): Table };
  readonly #tables = new Map<string, Table>();
  readonly #cache: NodeCache;
  readonly #changed = new Map<string, Uint8Array | undefined>();

  constructor(source: { table(name: string): Table }, cache: NodeCache) {
    this.#source = source;
    this.#cache = cache;
  }

  /** The nodes of a trie: of accounts, or of the storage with a prefix. */
  reader(prefix?: Uint8Array): NodeReader {
    return {
      getNode: (hash, path, guess) => {
        // A node never changes under its hash, wherever it is.
        const cached = this.#cache.find(hash);
        if (cached !== undefined) return cached;
        const leaf = guess?.();
        if (leaf !== undefined && hasHash(encodeNode(leaf), hash)) return leaf;
        const { table, key } = placeOf(prefix, path);
        const bytes = this.#read(table, key);
        if (bytes === undefined || !hasHash(bytes, hash)) {
          throw damagedNode(table, { key, hash, isMissing: bytes === undefined });
        }
        const node = decodeNode(bytes);
        addBranch(this.#cache, hash, node);
        return node;
      },
    };
  }

  /** Applies changes in memory. */
  apply(update: TrieUpdate, prefix?: Uint8Array): void {
    writeNodes(
      {
        put: (table, key, value) => this.#changed.set(placeKey(table, key), value),
        delete: (table, key) => this.#changed.set(placeKey(table, key), undefined),
      },
      update,
      prefix,
    );
    for (const { hash, node } of update.nodes) addBranch(this.#cache, hash, node);
  }

  #read(table: string, key: Uint8Array): Uint8Array | undefined {
    const place = placeKey(table, key);
    return this.#changed.has(place) ? this.#changed.get(place) : this.#tableOf(table).getSync(key);
  }

  #tableOf(name: string): Table {
    const table = this.#tables.get(name) ?? this.#source.table(name);
    this.#tables.set(name, table);
    return table;
  }
}

/** Caches a node that leads to others: leaves are read once, or guessed from their values. */
export function addBranch(cache: NodeCache, hash: Uint8Array, node: TrieNode): void {
  if (node.kind !== "leaf") cache.add(hash, node);
}

/** Writes the new nodes of a trie and removes those that are gone. */
export function writeNodes(sink: NodeSink, update: TrieUpdate, prefix?: Uint8Array): void {
  const overwritten = new Set(update.nodes.map(({ path }) => textOf(path)));
  for (const path of update.replaced) {
    if (overwritten.has(textOf(path))) continue;
    const { table, key } = placeOf(prefix, path);
    sink.delete(table, key);
  }
  for (const { path, bytes } of update.nodes) {
    const { table, key } = placeOf(prefix, path);
    sink.put(table, key, bytes);
  }
}

function hasHash(bytes: Uint8Array, hash: Uint8Array): boolean {
  return Buffer.compare(keccak256(bytes), hash) === 0;
}

function placeOf(prefix: Uint8Array | undefined, path: Nibbles) {
  return prefix === undefined
    ? { table: TABLES.accountNodes, key: path }
    : { table: TABLES.storageNodes, key: storageNodeKey(prefix, path) };
}

function placeKey(table: string, key: Uint8Array): string {
  return `${table} ${textOf(key)}`;
}

function damagedNode(
  table: string,
  found: { readonly key: Uint8Array; readonly hash: Uint8Array; readonly isMissing: boolean },
): StorageError {
  const problem = found.isMissing ? "is missing" : "is another one";
  return new StorageError("STORAGE_DAMAGED", {
    message: `the trie node ${toHex(found.hash)} at ${toHex(found.key)} of ${table} ${problem}`,
    table,
  });
}
