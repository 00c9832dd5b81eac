import { type Hash, keccak256, toHex } from "@plinth/core";
import {
  encodeNode,
  findUsualBranch,
  HASH_BYTES,
  isHash,
  join,
  type Link,
  type Nibbles,
  type TrieNode,
} from "../trie-nodes.js";
import { ChangedBranch } from "./changed-branch.js";

/** A node created by a change, encoded and decoded. */
export interface NewNode {
  readonly hash: Uint8Array;
  /** Its position in the trie. */
  readonly path: Nibbles;
  readonly bytes: Uint8Array;
  readonly node: TrieNode;
}

/** Hashes the new nodes from the leaves up; unchanged children are already hashes. */
export function hashNew(top: TrieNode): {
  readonly root: Hash;
  readonly nodes: readonly NewNode[];
} {
  const nodes: NewNode[] = [];

  function add(node: TrieNode, bytes: Uint8Array, path: Nibbles): Uint8Array {
    const hash = keccak256(bytes);
    const usual = node.kind === "branch" ? findUsualBranch(bytes) : undefined;
    nodes.push({ hash, path, bytes, node: usual ?? node });
    return hash;
  }

  function finish(child: TrieNode, path: Nibbles): Link {
    // The links become hashes, so that a cached node does not retain others.
    const node = mapNodes(child, path, finish);
    const bytes = encodeNode(node);
    return bytes.length < HASH_BYTES ? node : add(node, bytes, path);
  }

  const rootPath = new Uint8Array();
  const node = mapNodes(top, rootPath, finish);
  return { root: toHex(add(node, encodeNode(node), rootPath)), nodes };
}

/** Replaces the children that are nodes and not hashes; `path` is the position of the parent. */
function mapNodes(
  node: TrieNode,
  path: Nibbles,
  map: (child: TrieNode, path: Nibbles) => Link,
): TrieNode {
  if (node.kind === "leaf") return node;
  if (node.kind === "extension") {
    const { child } = node;
    return { ...node, child: isHash(child) ? child : map(child, join(path, node.path)) };
  }
  const finish = (child: Link, nibble: number) =>
    isHash(child) ? child : map(child, join(path, Uint8Array.of(nibble)));
  if (node instanceof ChangedBranch) return node.finish(finish);
  const children = node.children.map((child, nibble) => child && finish(child, nibble));
  return { ...node, children };
}
