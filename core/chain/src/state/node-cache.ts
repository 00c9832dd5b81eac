import type { Hash } from "@plinth/core";
import type { TrieNode } from "./trie-nodes.js";

/**
 * The most recently used nodes, decoded.
 *
 * A node never changes under its hash, so one cache serves any number of stores and snapshots.
 */
export class NodeCache {
  readonly #generationSize: number;
  #young = new Map<Hash, TrieNode>();
  #old = new Map<Hash, TrieNode>();

  constructor({ maxNodes }: { readonly maxNodes: number }) {
    this.#generationSize = Math.ceil(maxNodes / 2);
  }

  find(hash: Hash): TrieNode | undefined {
    const young = this.#young.get(hash);
    if (young !== undefined) return young;
    const old = this.#old.get(hash);
    if (old !== undefined) this.add(hash, old);
    return old;
  }

  /** Evicts a whole generation, which costs less than maintaining the order of use. */
  add(hash: Hash, node: TrieNode): void {
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(hash, node);
  }
}
