import { EMPTY_ROOT, type Hash, hexToBytes, toHex } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import type { ProvenRange, RangeEntry, RangeLimits } from "@plinth/core/chain";
import { textOf } from "../state-values.js";
import { findInTrie, type NodeReader } from "../trie.js";
import { encodeNode } from "../trie-nodes.js";
import { entriesFrom } from "./trie-range.js";

/** Reads consecutive entries of a trie, and proves that they are all there are. */
export function* proveRange(
  nodes: NodeReader,
  root: Hash,
  { origin, end, maxBytes, sizeOf = bytesOfEntry }: RangeLimits,
): Steps<ProvenRange> {
  const entries: RangeEntry[] = [];
  let bytes = 0;
  let hasMore = false;
  for (const { key: hex, value } of entriesFrom(nodes, { root, start: toHex(origin) })) {
    const last = entries.at(-1);
    if (last !== undefined && (bytes >= maxBytes || isAtEnd(last.key, end))) {
      hasMore = true;
      break;
    }
    const entry = { key: hexToBytes(hex), value };
    entries.push(entry);
    bytes += sizeOf(entry);
    yield;
  }
  const last = entries.at(-1);
  const keys = last === undefined ? [origin] : [origin, last.key];
  return { entries, proof: proveEdges(nodes, root, keys), hasMore };
}

/** The nodes on the paths to some keys, each once. */
export function proveEdges(
  nodes: NodeReader,
  root: Hash,
  keys: readonly Uint8Array[],
): readonly Uint8Array[] {
  if (root === EMPTY_ROOT) return [];
  const proof = new Map<string, Uint8Array>();
  const reader: NodeReader = {
    getNode(hash, path) {
      const node = nodes.getNode(hash, path);
      const text = textOf(hash);
      if (!proof.has(text)) proof.set(text, encodeNode(node));
      return node;
    },
  };
  for (const key of keys) findInTrie(reader, { root, key });
  return [...proof.values()];
}

function bytesOfEntry({ key, value }: RangeEntry): number {
  return key.length + value.length;
}

function isAtEnd(key: Uint8Array, end: Uint8Array | undefined): boolean {
  return end !== undefined && Buffer.compare(key, end) >= 0;
}
