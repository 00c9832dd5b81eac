import { EMPTY_ROOT, type Hash, StorageError, toHex } from "@plinth/core";
import { keccakHash } from "@plinth/core/primitives";
import { TABLES, type Table } from "@plinth/core/storage";
import { bytesOf } from "../state/state-values.js";
import { decodeNode, isHash, type Link, type Nibbles, type TrieNode } from "../state/trie-nodes.js";

/** A part of a trie: a link, and the nibbles that lead to it, as hexadecimal digits. */
export interface TriePart {
  readonly link: Link;
  readonly path: string;
}

/** A value of a trie. */
export interface TrieLeaf {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A stored node of a trie. */
export interface StoredNode {
  readonly path: Nibbles;
  readonly bytes: Uint8Array;
}

/** Nodes by hash, each verified against its hash. */
export class HashedNodes {
  readonly #table: Table;

  constructor(source: { table(name: string): Table }) {
    this.#table = source.table(TABLES.trieNodes);
  }

  read(hash: Uint8Array): Uint8Array {
    const bytes = this.#table.getSync(hash);
    const name = toHex(hash);
    if (bytes !== undefined && keccakHash(bytes) === name) return bytes;
    throw new StorageError("STORAGE_DAMAGED", {
      message: `the database is damaged: the trie node ${name} ${bytes === undefined ? "is missing" : "has another hash"}`,
      table: TABLES.trieNodes,
    });
  }

  /** The node of a link. */
  resolve(link: Link): TrieNode {
    return isHash(link) ? decodeNode(this.read(link)) : link;
  }
}

/** The beginning of a walk; nothing if the trie is empty. */
export function partsOf(root: Hash): TriePart[] {
  return root === EMPTY_ROOT ? [] : [{ link: bytesOf(root), path: "" }];
}

/** The parts below a node, the first one last. */
export function partsBelow(node: TrieNode, path: string): TriePart[] {
  switch (node.kind) {
    case "branch":
      return node.children
        .flatMap((link, digit) =>
          link === undefined ? [] : [{ link, path: path + digit.toString(16) }],
        )
        .reverse();
    case "extension":
      return [{ link: node.child, path: path + digitsOf(node.path) }];
    case "leaf":
      return [];
  }
}

/** Walks a trie in the order of keys, from a key on: its stored nodes and its values. */
export function* walkTrie(
  nodes: HashedNodes,
  { root, from = "" }: { readonly root: Hash; readonly from?: string },
): Generator<StoredNode | TrieLeaf, undefined> {
  const open = partsOf(root);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { link, path } = next;
    // Every key below begins with the path.
    if (path < from.slice(0, path.length)) continue;
    const bytes = isHash(link) ? nodes.read(link) : undefined;
    if (bytes !== undefined) yield { path: nibblesIn(path), bytes };
    const node = isHash(link) ? decodeNode(bytes as Uint8Array) : link;
    if (node.kind === "leaf") {
      const key = path + digitsOf(node.path);
      if (key >= from) yield { key: Buffer.from(key, "hex"), value: node.value };
    } else {
      open.push(...partsBelow(node, path));
    }
  }
}

/** The values of a trie in the order of keys, from a key on. */
export function* leavesOf(
  nodes: HashedNodes,
  place: { readonly root: Hash; readonly from?: string },
): Generator<TrieLeaf, undefined> {
  for (const item of walkTrie(nodes, place)) {
    if ("key" in item) yield item;
  }
}

/** The highest key of a slot. */
export const LAST_SLOT = "f".repeat(64);

/** A key as hexadecimal digits. */
export function digitsIn(key: Uint8Array): string {
  return Buffer.from(key).toString("hex");
}

/** Nibbles as hexadecimal digits. */
export function digitsOf(nibbles: Nibbles): string {
  return Array.from(nibbles, (nibble) => nibble.toString(16)).join("");
}

function nibblesIn(digits: string): Nibbles {
  return Uint8Array.from(digits, (digit) => Number.parseInt(digit, 16));
}
