import { EMPTY_ROOT, type Hash } from "@plinth/core";
import { bytesOf } from "./state-values.js";
import {
  childOf,
  digit,
  isHash,
  type LeafNode,
  type Link,
  type Nibbles,
  nibblesOf,
  sharedLength,
  type TrieNode,
} from "./trie-nodes.js";

/** The source of a trie's nodes. */
export interface NodeReader {
  /**
   * Throws if there is no node with this hash; `path` is its position in the trie.
   *
   * The node may be the leaf that `guess` returns: a source that has to read it can compare the hash first.
   */
  getNode(hash: Uint8Array, path: Nibbles, guess?: () => LeafNode): TrieNode;
}

const ROOT_PATH: Nibbles = new Uint8Array();

/** Reads the value of a key. */
export function findInTrie(
  nodes: NodeReader,
  { root, key }: { readonly root: Hash; readonly key: Uint8Array },
): Uint8Array | undefined {
  if (root === EMPTY_ROOT) return undefined;
  const nibbles = nibblesOf(key);
  let node = nodes.getNode(bytesOf(root), ROOT_PATH);
  for (let depth = 0; ; ) {
    let next: Link | undefined;
    switch (node.kind) {
      case "leaf":
        return isEqualFrom(nibbles, depth, node.path) ? node.value : undefined;
      case "extension":
        if (sharedLength(nibbles, depth, node.path) < node.path.length) return undefined;
        depth += node.path.length;
        next = node.child;
        break;
      case "branch":
        if (depth === nibbles.length) return node.value;
        next = childOf(node, digit(nibbles, depth++));
        break;
    }
    if (next === undefined) return undefined;
    node = isHash(next) ? nodes.getNode(next, nibbles.subarray(0, depth)) : next;
  }
}

function isEqualFrom(key: Nibbles, depth: number, path: Nibbles): boolean {
  return key.length - depth === path.length && sharedLength(key, depth, path) === path.length;
}
