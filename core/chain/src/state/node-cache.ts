import { textOf } from "./state-values.js";
import type { TrieNode } from "./trie-nodes.js";

/**
 * The most recently used nodes, decoded.
 *
 * A node never changes under its hash, so one cache serves any number of stores and snapshots.
 */
export class NodeCache {
  readonly #generationSize: number;
  #young = new Map<string, TrieNode>();
  #old = new Map<string, TrieNode>();

  constructor({ maxNodes }: { readonly maxNodes: number }) {
    this.#generationSize = Math.ceil(maxNodes / 2);
  }

  find(hash: Uint8Array): TrieNode | undefined {
    const text = textOf(hash);
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const old = this.#old.get(text);
    if (old !== undefined) this.#put(text, old);
    return old;
  }

  add(hash: Uint8Array, node: TrieNode): void {
    this.#put(textOf(hash), node);
  }

  /** Evicts a whole generation, which costs less than maintaining the order of use. */
  #put(text: string, node: TrieNode): void {
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, node);
  }
}
