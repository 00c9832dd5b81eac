import type { Hash } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { type TrieUpdate, updateTrie } from "../../state/update/update-trie.js";
import type { TrieOverlay } from "./trie-overlay.js";

/** A new leaf of a trie, or the removal of one. */
export interface LeafChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Leaves that are updated in one step: a few milliseconds. */
const LEAVES_AT_ONCE = 64;

/** Changes a trie in steps, in memory; returns its root. */
export function* updateInSteps(
  tries: TrieOverlay,
  trie: {
    readonly root: Hash;
    readonly leaves: readonly LeafChange[];
    /** Of a storage trie. */
    readonly prefix?: Uint8Array | undefined;
    readonly onUpdate?: (update: TrieUpdate) => void;
  },
): Steps<Hash> {
  const { leaves, prefix, onUpdate } = trie;
  let { root } = trie;
  for (const near of byFirstByte(leaves)) {
    near.sort((a, b) => Buffer.compare(a.key, b.key));
    for (let at = 0; at < near.length; at += LEAVES_AT_ONCE) {
      const changes = near.slice(at, at + LEAVES_AT_ONCE);
      const update = updateTrie(tries.reader(prefix), { root, changes });
      tries.apply(update, prefix);
      onUpdate?.(update);
      root = update.root;
      yield;
    }
  }
  return root;
}

/** Groups leaves that share most of the nodes above them. */
function byFirstByte(leaves: readonly LeafChange[]): Iterable<LeafChange[]> {
  const groups = new Map<number | undefined, LeafChange[]>();
  for (const leaf of leaves) {
    const group = groups.get(leaf.key[0]);
    if (group === undefined) groups.set(leaf.key[0], [leaf]);
    else group.push(leaf);
  }
  return groups.values();
}
