import { type Hash, hexToBytes, keccak256, toHex } from "@plinth/core";
import type { RangeEntry } from "@plinth/core/chain";
import { TrieBuilder } from "../build-trie.js";
import {
  type BranchNode,
  decodeNode,
  type ExtensionNode,
  encodeNode,
  isHash,
  type LeafNode,
  type Link,
  type Nibbles,
  nibblesOf,
  type TrieNode,
} from "../trie-nodes.js";

/** Entries of a trie that someone else has read, and what is to prove them. */
export interface ClaimedRange {
  /** The lowest key that the range may contain. */
  readonly origin: Uint8Array;
  /** In the order of their keys, which are as long as the origin. */
  readonly entries: readonly RangeEntry[];
  /** Nodes in any order; none if the entries are all of the trie. */
  readonly proof: readonly Uint8Array[];
}

/** What a range proves beside its entries. */
export interface VerifiedRange {
  /** Whether the trie has entries after the last one. */
  readonly hasMore: boolean;
  /** How many nodes of the proof were needed. */
  readonly nodes: number;
}

/** A range that its nodes do not prove; the message contains the reason. */
export class InvalidRange extends RangeError {
  constructor(reason: string, options?: ErrorOptions) {
    super(`the range is not proven: ${reason}`, options);
    this.name = "InvalidRange";
  }
}

/**
 * Verifies that a trie has exactly these entries from the origin to the last of them; with no
 * entries, that it has none from the origin on. Throws `InvalidRange`.
 *
 * Follows the paths to the origin and to the last key down from the root, so that every node is
 * known by its hash before it is read. What lies between the two paths is built from the entries
 * and compared with the links of the nodes on them.
 */
export function verifyRange(root: Hash, range: ClaimedRange): VerifiedRange {
  verifyEntries(range);
  if (range.proof.length > 0) return new EdgeWalk(range).run(root);
  const trie = new TrieBuilder(ignore);
  for (const { key, value } of range.entries) trie.add(key, value);
  const built = trie.finish();
  if (built !== root) throw new InvalidRange(`its entries have the root ${built}, not ${root}`);
  return { hasMore: false, nodes: 0 };
}

function verifyEntries({ origin, entries }: ClaimedRange): void {
  let before: Uint8Array | undefined;
  for (const { key, value } of entries) {
    if (key.length !== origin.length) {
      throw new InvalidRange(`${toHex(key)} is not a key of ${origin.length} bytes`);
    }
    const isAbove =
      before === undefined ? Buffer.compare(key, origin) >= 0 : Buffer.compare(key, before) > 0;
    if (!isAbove) throw new InvalidRange(`${toHex(key)} is out of order`);
    if (value.length === 0) throw new InvalidRange(`${toHex(key)} has no value`);
    before = key;
  }
}

/** A node on the path to the origin, to the last key, or to both. */
interface Edge {
  readonly depth: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

class EdgeWalk {
  readonly #proof = new Map<Hash, Uint8Array>();
  readonly #entries: readonly RangeEntry[];
  readonly #origin: Nibbles;
  /** Without entries there is no upper edge. */
  readonly #last: Nibbles;
  readonly #used = new Set<Hash>();
  /** The first entry that is not compared yet. */
  #next = 0;
  #hasMore = false;

  constructor({ origin, entries, proof }: ClaimedRange) {
    for (const bytes of proof) this.#proof.set(toHex(keccak256(bytes)), bytes);
    this.#entries = entries;
    this.#origin = nibblesOf(origin);
    this.#last = nibblesOf(entries.at(-1)?.key ?? new Uint8Array());
  }

  run(root: Hash): VerifiedRange {
    const isLast = this.#entries.length > 0;
    this.#visit(hexToBytes(root), { depth: 0, isFirst: true, isLast });
    const extra = this.#entries[this.#next];
    if (extra !== undefined) throw new InvalidRange(`the trie does not have ${toHex(extra.key)}`);
    return { hasMore: this.#hasMore, nodes: this.#used.size };
  }

  #visit(link: Link, edge: Edge): void {
    const node = isHash(link) ? this.#read(toHex(link)) : link;
    if (node.kind === "branch") this.#visitBranch(node, edge);
    else this.#visitPath(link, node, edge);
  }

  /** The link leads to the node. */
  #visitPath(link: Link, node: LeafNode | ExtensionNode, edge: Edge): void {
    const { depth, isFirst, isLast } = edge;
    const end = depth + node.path.length;
    const isLeaf = node.kind === "leaf";
    if (isLeaf ? end !== this.#origin.length : end >= this.#origin.length) {
      throw new InvalidRange(`the path of a node has ${end} nibbles`);
    }
    const toOrigin = isFirst ? comparePaths(node.path, this.#origin, depth) : 1;
    const toLast = isLast ? comparePaths(node.path, this.#last, depth) : -1;
    if (toOrigin < 0) return;
    if (toLast > 0) this.#hasMore = true;
    else if (isLeaf) this.#compareLeaf(node, edge);
    else if (toOrigin > 0 && toLast < 0) this.#compareInside(link, this.#pathOf(edge));
    else this.#visit(node.child, { depth: end, isFirst: toOrigin === 0, isLast: toLast === 0 });
  }

  #visitBranch({ children, value }: BranchNode, edge: Edge): void {
    const { depth, isFirst, isLast } = edge;
    if (value !== undefined || depth >= this.#origin.length) {
      throw new InvalidRange(`a branch at ${depth} nibbles ends a key`);
    }
    const first = isFirst ? (this.#origin[depth] as number) : -1;
    const last = isLast ? (this.#last[depth] as number) : children.length;
    const path = Uint8Array.from([...this.#pathOf(edge), 0]);
    for (let nibble = Math.max(first, 0); nibble < children.length; nibble++) {
      const child = children[nibble];
      path[depth] = nibble;
      if (nibble > last) this.#hasMore ||= child !== undefined;
      else if (nibble > first && nibble < last) this.#compareInside(child, path);
      else if (child !== undefined) {
        const isFirst = nibble === first;
        this.#visit(child, { depth: depth + 1, isFirst, isLast: nibble === last });
      }
    }
  }

  /** The leaf must be the next entry. */
  #compareLeaf(leaf: LeafNode, edge: Edge): void {
    const path = this.#pathOf(edge);
    const entry = this.#entries[this.#next];
    const isSame =
      entry !== undefined &&
      isBelow(path, entry.key) &&
      comparePaths(leaf.path, nibblesOf(entry.key), edge.depth) === 0 &&
      Buffer.compare(leaf.value, entry.value) === 0;
    if (!isSame) throw differs(path);
    this.#next++;
  }

  /** The part of the trie below a path must be what the next entries with this path result in. */
  #compareInside(claimed: Link | undefined, path: Nibbles): void {
    const trie = new TrieBuilder(ignore, path.length);
    for (
      let entry = this.#entries[this.#next];
      entry !== undefined && isBelow(path, entry.key);
      entry = this.#entries[++this.#next]
    ) {
      trie.add(entry.key, entry.value);
    }
    if (!isSameLink(trie.finishPart(), claimed)) throw differs(path);
  }

  #pathOf({ depth, isFirst }: Edge): Nibbles {
    return (isFirst ? this.#origin : this.#last).subarray(0, depth);
  }

  #read(hash: Hash): TrieNode {
    const bytes = this.#proof.get(hash);
    if (bytes === undefined) throw new InvalidRange(`the proof does not have the node ${hash}`);
    this.#used.add(hash);
    try {
      return decodeNode(bytes);
    } catch (cause) {
      throw new InvalidRange(`the proof has a malformed node ${hash}`, { cause });
    }
  }
}

function ignore(): void {}

function differs(path: Nibbles): InvalidRange {
  const digits = Array.from(path, (nibble) => nibble.toString(16)).join("");
  return new InvalidRange(`its entries below 0x${digits} are not those of the trie`);
}

/** Compares a path with the same number of nibbles of a key. */
function comparePaths(path: Nibbles, key: Nibbles, depth: number): number {
  return Buffer.compare(path, key.subarray(depth, depth + path.length));
}

function isBelow(path: Nibbles, key: Uint8Array): boolean {
  // From the end: keys in order differ there first.
  for (let at = path.length - 1; at >= 0; at--) {
    const byte = key[at >> 1] as number;
    if (path[at] !== (at % 2 === 0 ? byte >> 4 : byte & 0x0f)) return false;
  }
  return true;
}

/** Links are hashes, or short nodes that are embedded. */
function isSameLink(a: Link | undefined, b: Link | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (isHash(a) || isHash(b)) return isHash(a) && isHash(b) && Buffer.compare(a, b) === 0;
  return Buffer.compare(encodeNode(a), encodeNode(b)) === 0;
}
