import { decodeRlp, encodeRlp, type Rlp } from "@plinth/core";
import { encodeRlpList } from "@plinth/core/primitives";

/** Nibbles of a key, 0 to 15 each. */
export type Nibbles = Uint8Array;

/** A reference to a child: its hash, or the node itself if it is short or not hashed yet. */
export type Link = Uint8Array | TrieNode;

/** The rest of a key and its value. */
export interface LeafNode {
  readonly kind: "leaf";
  readonly path: Nibbles;
  readonly value: Uint8Array;
}

/** Nibbles that all keys below share; the child is a branch. */
export interface ExtensionNode {
  readonly kind: "extension";
  readonly path: Nibbles;
  readonly child: Link;
}

/** A branch by the next nibble, and the value of the key that ends here. */
export interface BranchNode {
  readonly kind: "branch";
  /** Sixteen of them. */
  readonly children: readonly (Link | undefined)[];
  readonly value: Uint8Array | undefined;
}

/** A node of a Merkle Patricia trie (Yellow Paper, appendix D). */
export type TrieNode = LeafNode | ExtensionNode | BranchNode;

/** Encodings shorter than this are embedded in the parent. */
export const HASH_BYTES = 32;
const CHILDREN = 16;

const NOTHING = new Uint8Array();

/** Whether the link is a hash and the node has to be read. */
export function isHash(link: Link): link is Uint8Array {
  return link instanceof Uint8Array;
}

/** The nibbles of a key. */
export function nibblesOf(key: Uint8Array): Nibbles {
  const nibbles = new Uint8Array(key.length * 2);
  let at = 0;
  for (const byte of key) {
    nibbles[at++] = byte >> 4;
    nibbles[at++] = byte & 0x0f;
  }
  return nibbles;
}

/** Nibbles one after the other. */
export function join(a: Nibbles, b: Nibbles): Nibbles {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** A nibble of a key. */
export function digit(nibbles: Nibbles, at: number): number {
  return nibbles[at] ?? 0;
}

/** Number of nibbles of the path that match the key from `depth` on. */
export function sharedLength(key: Nibbles, depth: number, path: Nibbles): number {
  const most = Math.min(path.length, key.length - depth);
  let shared = 0;
  while (shared < most && key[depth + shared] === path[shared]) shared++;
  return shared;
}

/** Encodes a node; children that are nodes are embedded, which is valid for short ones only. */
export function encodeNode(node: TrieNode): Uint8Array {
  switch (node.kind) {
    case "leaf":
      return encodeRlpList([encodeRlp(encodePath(node.path, true)), encodeRlp(node.value)]);
    case "extension": {
      const parts = [encodeRlp(encodePath(node.path, false))];
      addLink(parts, node.child);
      return encodeRlpList(parts);
    }
    case "branch": {
      if (node instanceof UsualBranch) return node.bytes;
      const parts: Uint8Array[] = [];
      for (const child of node.children) addLink(parts, child);
      parts.push(node.value === undefined ? EMPTY_ITEM : encodeRlp(node.value));
      return encodeRlpList(parts);
    }
  }
}

/** Decodes a node; throws a `RangeError` or `RlpError` if the bytes are malformed. */
export function decodeNode(bytes: Uint8Array): TrieNode {
  return findUsualBranch(bytes) ?? nodeFrom(decodeRlp(bytes));
}

/** A child of a branch; does not create the others. */
export function childOf(branch: BranchNode, nibble: number): Link | undefined {
  return branch instanceof UsualBranch ? branch.childAt(nibble) : branch.children[nibble];
}

/**
 * A branch as it is encoded, whose children are hashes and which has no value: nearly all that are stored.
 *
 * Many of them are cached. One object each, instead of one for each child, takes a quarter of the memory.
 */
export class UsualBranch implements BranchNode {
  readonly kind = "branch";
  readonly value = undefined;
  readonly bytes: Uint8Array;

  /** The bytes are those of such a branch. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Whether it has all sixteen children. */
  get isFull(): boolean {
    return this.bytes.length === FULL_BYTES;
  }

  get children(): readonly (Uint8Array | undefined)[] {
    return Array.from({ length: CHILDREN }, (_, nibble) => this.childAt(nibble));
  }

  childAt(nibble: number): Uint8Array | undefined {
    const at = this.#startOf(nibble);
    return this.bytes[at] === EMPTY ? undefined : this.bytes.subarray(at + 1, at + HASH_ITEM);
  }

  /** The same branch with other hashes; `undefined` if one of them has no child to replace. */
  replace(hashes: ReadonlyMap<number, Uint8Array>): UsualBranch | undefined {
    const bytes = Uint8Array.prototype.slice.call(this.bytes);
    for (const [nibble, hash] of hashes) {
      const at = this.#startOf(nibble);
      if (bytes[at] === EMPTY) return undefined;
      bytes.set(hash, at + 1);
    }
    return new UsualBranch(bytes);
  }

  #startOf(nibble: number): number {
    const { bytes } = this;
    let at = prefixBytes(bytes);
    for (let before = 0; before < nibble; before++) at += bytes[at] === EMPTY ? 1 : HASH_ITEM;
    return at;
  }
}

/** The branch with this encoding, if it is usual; anything else is left to the decoder. */
export function findUsualBranch(bytes: Uint8Array): UsualBranch | undefined {
  const start = prefixBytes(bytes);
  if (start === 0) return undefined;
  let at = start;
  for (let nibble = 0; nibble < CHILDREN; nibble++) {
    if (bytes[at] === EMPTY) at += 1;
    else if (bytes[at] === EMPTY + HASH_BYTES) at += HASH_ITEM;
    else return undefined;
  }
  return bytes[at] === EMPTY && at + 1 === bytes.length ? new UsualBranch(bytes) : undefined;
}

/** Length of the prefix of a list of more than 55 bytes that ends with the bytes; 0 for any other. */
function prefixBytes(bytes: Uint8Array): number {
  const second = bytes[1] ?? 0;
  if (bytes[0] === 0xf8) return second > 55 && bytes.length === 2 + second ? 2 : 0;
  const length = second * 256 + (bytes[2] ?? 0);
  return bytes[0] === 0xf9 && length > 255 && bytes.length === 3 + length ? 3 : 0;
}

const EMPTY = 0x80;
/** Bytes of a hash with its prefix. */
const HASH_ITEM = HASH_BYTES + 1;
/** The prefix of the list, sixteen hashes, and no value. */
const FULL_BYTES = 3 + CHILDREN * HASH_ITEM + 1;

const EMPTY_ITEM = Uint8Array.of(0x80);
const HASH_PREFIX = Uint8Array.of(0x80 + HASH_BYTES);

function addLink(parts: Uint8Array[], link: Link | undefined): void {
  if (link === undefined) parts.push(EMPTY_ITEM);
  else if (isHash(link)) parts.push(HASH_PREFIX, link);
  else parts.push(encodeNode(link));
}

function nodeFrom(item: Rlp): TrieNode {
  if (item instanceof Uint8Array) throw notANode("not a list");
  if (item.length === CHILDREN + 1) {
    const value = bytesFrom(item[CHILDREN]);
    return {
      kind: "branch",
      children: item.slice(0, CHILDREN).map(linkFrom),
      value: value.length === 0 ? undefined : value,
    };
  }
  if (item.length !== 2) throw notANode(`a list of ${item.length} items`);

  const { path, isLeaf } = decodePath(bytesFrom(item[0]));
  if (isLeaf) return { kind: "leaf", path, value: bytesFrom(item[1]) };
  const child = linkFrom(item[1] ?? NOTHING);
  if (child === undefined) throw notANode("an extension without child");
  return { kind: "extension", path, child };
}

function linkFrom(item: Rlp): Link | undefined {
  if (!(item instanceof Uint8Array)) return nodeFrom(item);
  if (item.length === 0) return undefined;
  if (item.length !== HASH_BYTES) throw notANode(`a hash of ${item.length} bytes`);
  return item;
}

function bytesFrom(item: Rlp | undefined): Uint8Array {
  if (!(item instanceof Uint8Array)) throw notANode("expected bytes, found a list");
  return item;
}

function notANode(found: string): RangeError {
  return new RangeError(`not a node of a trie: ${found}`);
}

const ODD = 0x10;
const LEAF = 0x20;

/** Hex-prefix encoding (Yellow Paper, appendix C). */
function encodePath(path: Nibbles, isLeaf: boolean): Uint8Array {
  const isOdd = path.length % 2 === 1;
  const bytes = new Uint8Array((path.length >> 1) + 1);
  let at = 0;
  bytes[0] = (isLeaf ? LEAF : 0) | (isOdd ? ODD | (path[at++] ?? 0) : 0);
  for (let to = 1; to < bytes.length; to++) {
    bytes[to] = ((path[at++] ?? 0) << 4) | (path[at++] ?? 0);
  }
  return bytes;
}

function decodePath(bytes: Uint8Array): { readonly path: Nibbles; readonly isLeaf: boolean } {
  const first = bytes[0];
  if (first === undefined || first >= LEAF + ODD * 2) throw notANode("a path without flags");
  return {
    path: nibblesOf(bytes).subarray((first & ODD) === 0 ? 2 : 1),
    isLeaf: (first & LEAF) !== 0,
  };
}
