import { EMPTY_ROOT, type Hash, hexToBytes, toHex } from "@plinth/core";
import { findInTrie, type NodeReader } from "../trie.js";
import { encodeNode } from "../trie-nodes.js";
import { entriesFrom } from "../trie-range.js";

/** An entry of a trie. */
export interface RangeEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Consecutive entries of a trie, and the nodes that prove them. */
export interface ProvenRange {
  readonly entries: readonly RangeEntry[];
  /** The nodes on the paths to the origin and to the last entry, each once. */
  readonly proof: readonly Uint8Array[];
  /** Whether the trie has entries after the last one. */
  readonly hasMore: boolean;
}

/** Where a range starts, and where it ends at the latest. */
export interface RangeLimits {
  /** The lowest key that the range may contain; an entry with it need not exist. */
  readonly origin: Uint8Array;
  /** The range ends with the first entry at or above this key. */
  readonly end?: Uint8Array;
  /** The range ends with the entry that reaches this number of bytes. */
  readonly maxBytes: number;
}

/** Reads consecutive entries of a trie, and proves that they are all there are. */
export function proveRange(
  nodes: NodeReader,
  root: Hash,
  { origin, end, maxBytes }: RangeLimits,
): ProvenRange {
  const entries: RangeEntry[] = [];
  let bytes = 0;
  let hasMore = false;
  for (const { key: hex, value } of entriesFrom(nodes, { root, start: toHex(origin) })) {
    const last = entries.at(-1);
    if (last !== undefined && (bytes >= maxBytes || isAtEnd(last.key, end))) {
      hasMore = true;
      break;
    }
    const key = hexToBytes(hex);
    entries.push({ key, value });
    bytes += key.length + value.length;
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
  const proof = new Map<Hash, Uint8Array>();
  const reader: NodeReader = {
    getNode(hash, path) {
      const node = nodes.getNode(hash, path);
      if (!proof.has(hash)) proof.set(hash, encodeNode(node));
      return node;
    },
  };
  for (const key of keys) findInTrie(reader, { root, key });
  return [...proof.values()];
}

function isAtEnd(key: Uint8Array, end: Uint8Array | undefined): boolean {
  return end !== undefined && Buffer.compare(key, end) >= 0;
}
