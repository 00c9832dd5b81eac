import { type Hash, StorageError, toHex } from "@plinth/core";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { BufferedTable } from "./buffered-table.js";
import type { NodeCache } from "./node-cache.js";
import type { NodeReader } from "./trie.js";
import { decodeNode, type TrieNode } from "./trie-nodes.js";
import type { NewNode } from "./update/hash-nodes.js";

/** The nodes of all tries, on disk and of uncommitted blocks. */
export class TrieStore implements NodeReader {
  readonly #table: BufferedTable;
  readonly #cache: NodeCache;

  constructor(source: { table(name: string): Table }, cache: NodeCache) {
    this.#table = new BufferedTable(TABLES.trieNodes, source);
    this.#cache = cache;
  }

  getNode(hash: Uint8Array): TrieNode {
    const cached = this.#cache.find(hash);
    if (cached !== undefined) return cached;

    const node = this.#readNode(toHex(hash));
    this.#cache.add(hash, node);
    return node;
  }

  /** Whether the root node of this trie is present; no guarantee that the rest is complete. */
  hasNode(hash: Hash): boolean {
    return this.#table.find(hash) !== undefined;
  }

  add(nodes: Iterable<NewNode>): void {
    for (const { hash, bytes, node } of nodes) {
      this.#table.add(toHex(hash), bytes);
      this.#cache.add(hash, node);
    }
  }

  /** As `BufferedTable.writeTo`. */
  writeTo(batch: Pick<WriteBatch, "put">): () => void {
    return this.#table.writeTo(batch);
  }

  #readNode(hash: Hash): TrieNode {
    const bytes = this.#table.find(hash);
    if (bytes === undefined) throw damaged(`the state has no trie node ${hash}`);
    try {
      return decodeNode(bytes);
    } catch (cause) {
      throw damaged(`the trie node ${hash} cannot be read`, cause);
    }
  }
}

function damaged(message: string, cause?: unknown): StorageError {
  return new StorageError("STORAGE_DAMAGED", { message, table: TABLES.trieNodes, cause });
}
