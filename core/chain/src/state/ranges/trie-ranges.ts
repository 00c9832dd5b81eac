import { EMPTY_ROOT, type Hash, hexToBytes } from "@plinth/core";
import { runInTurns } from "@plinth/core/async";
import type { StateRanges } from "@plinth/core/chain";
import type { Pace, StateSource } from "../state-source.js";
import { decodeAccount } from "../state-values.js";
import { findInTrie, type NodeReader } from "../trie.js";
import { encodeNode, isHash, type Link, type Nibbles, type TrieNode } from "../trie-nodes.js";
import { proveRange } from "./prove-range.js";

/** Opens the tries of a state by ranges and nodes; they are made first if they are not stored. */
export async function openTrieRanges(source: StateSource, pace: Pace): Promise<StateRanges> {
  const { root } = source;
  const ready = await source.prepareTries(pace);
  const tries = source.openTries();
  const { lane } = pace;
  const findStorage = (account: Uint8Array) => {
    const bytes = findInTrie(tries.accounts, { root, key: account });
    return bytes && { nodes: tries.storageOf(account), root: decodeAccount(bytes).storageRoot };
  };
  return {
    accounts: (limits) => runInTurns(proveRange(tries.accounts, root, limits), { lane }),
    async slots(account, limits) {
      const storage = findStorage(account);
      return storage && runInTurns(proveRange(storage.nodes, storage.root, limits), { lane });
    },
    findNode(path, account) {
      const trie = account === undefined ? { nodes: tries.accounts, root } : findStorage(account);
      return trie && findNode(trie.nodes, trie.root, path);
    },
    [Symbol.dispose]() {
      tries[Symbol.dispose]();
      ready[Symbol.dispose]();
    },
  };
}

/** The node at a path; `undefined` if there is none, or if it is embedded in its parent. */
function findNode(nodes: NodeReader, root: Hash, path: Nibbles): Uint8Array | undefined {
  if (root === EMPTY_ROOT) return undefined;
  let link: Link | undefined = hexToBytes(root);
  for (let depth = 0; link !== undefined; ) {
    const node: TrieNode = isHash(link) ? nodes.getNode(link, path.subarray(0, depth)) : link;
    if (depth === path.length) return isHash(link) ? encodeNode(node) : undefined;
    if (node.kind === "leaf") return undefined;
    if (node.kind === "branch") link = node.children[path[depth++] as number];
    else {
      const end: number = depth + node.path.length;
      if (Buffer.compare(path.subarray(depth, end), node.path) !== 0) return undefined;
      depth = end;
      link = node.child;
    }
  }
  return undefined;
}
