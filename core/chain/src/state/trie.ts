import { EMPTY_ROOT, type Hash, keccak256, toHex } from "@plinth/core";
import {
  type BranchNode,
  type ExtensionNode,
  encodeNode,
  HASH_BYTES,
  isHash,
  type LeafNode,
  type Link,
  type Nibbles,
  nibblesOf,
  type TrieNode,
} from "./trie-nodes.js";

/** The source of a trie's nodes. */
export interface NodeReader {
  /** Throws if there is no node with this hash; `path` is its position in the trie. */
  getNode(hash: Hash, path: Nibbles): TrieNode;
}

/** A new value for a key; `undefined` removes it. */
export interface TrieChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** A node created by a change, encoded and decoded. */
export interface NewNode {
  readonly hash: Hash;
  /** Its position in the trie. */
  readonly path: Nibbles;
  readonly bytes: Uint8Array;
  readonly node: TrieNode;
}

/** The result of changes to a trie. */
export interface TrieUpdate {
  readonly root: Hash;
  /** The nodes on the paths to the changes, each once. */
  readonly nodes: readonly NewNode[];
  /** Positions of the nodes that are replaced or removed. */
  readonly replaced: readonly Nibbles[];
}

const ROOT_PATH: Nibbles = new Uint8Array();

/** Reads the value of a key. */
export function findInTrie(
  nodes: NodeReader,
  { root, key }: { readonly root: Hash; readonly key: Uint8Array },
): Uint8Array | undefined {
  if (root === EMPTY_ROOT) return undefined;
  const nibbles = nibblesOf(key);
  let node = nodes.getNode(root, ROOT_PATH);
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
        next = node.children[digit(nibbles, depth++)];
        break;
    }
    if (next === undefined) return undefined;
    node = isHash(next) ? nodes.getNode(toHex(next), nibbles.subarray(0, depth)) : next;
  }
}

/**
 * Applies changes to a trie, all in one pass.
 *
 * Every node on the path to a change is read once and hashed once, however many changes are below
 * it. The order of the changes does not matter; no key may occur twice. Values are not empty.
 */
export function updateTrie(
  nodes: NodeReader,
  { root, changes }: { readonly root: Hash; readonly changes: readonly TrieChange[] },
): TrieUpdate {
  if (changes.length === 0) return { root, nodes: [], replaced: [] };
  const sorted = changes.map(({ key, value }) => ({ key: nibblesOf(key), value }));
  sorted.sort((a, b) => Buffer.compare(a.key, b.key));
  const pass = new Pass(nodes, sorted);
  const before = root === EMPTY_ROOT ? undefined : pass.readRoot(root);

  const after = pass.apply(before, { from: 0, to: sorted.length, depth: 0 });

  if (after === before) return { root, nodes: [], replaced: [] };
  const { replaced } = pass;
  return after === undefined
    ? { root: EMPTY_ROOT, nodes: [], replaced }
    : { ...hashNew(after), replaced };
}

interface Change {
  readonly key: Nibbles;
  readonly value: Uint8Array | undefined;
}

interface Entry extends Change {
  readonly value: Uint8Array;
}

/** Changes that share the first `depth` nibbles of their keys. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

/** Builds the tree of new nodes; an unchanged node is returned as the same object. */
class Pass {
  readonly #nodes: NodeReader;
  readonly #changes: readonly Change[];
  /** Positions of the nodes read so far that will not stay as they are. */
  readonly replaced: Nibbles[] = [];

  constructor(nodes: NodeReader, changes: readonly Change[]) {
    this.#nodes = nodes;
    this.#changes = changes;
  }

  readRoot(root: Hash): TrieNode {
    this.replaced.push(ROOT_PATH);
    return this.#nodes.getNode(root, ROOT_PATH);
  }

  apply(node: TrieNode | undefined, range: Range): TrieNode | undefined {
    if (range.from === range.to) return node;
    switch (node?.kind) {
      case undefined:
        return buildNode(this.#entriesIn(range), range.depth);
      case "leaf":
        return this.#applyToLeaf(node, range);
      case "extension":
        return this.#applyToExtension(node, range);
      case "branch":
        return this.#applyToBranch(node, range);
    }
  }

  #applyToLeaf(leaf: LeafNode, range: Range): TrieNode | undefined {
    const entries = this.#entriesIn(range);
    let place = 0;
    for (const { key, value } of this.#changesIn(range)) {
      const order = compareFrom(key, range.depth, leaf.path);
      if (order === 0) {
        // The change replaces the leaf, with a value or nothing.
        const isAlone = entries.length === 1 && isSameValue(value, leaf.value);
        return isAlone ? leaf : buildNode(entries, range.depth);
      }
      if (order < 0 && value !== undefined) place++;
    }
    if (entries.length === 0) return leaf;

    const start = this.#changeAt(range.from).key.subarray(0, range.depth);
    entries.splice(place, 0, { key: join(start, leaf.path), value: leaf.value });
    return buildNode(entries, range.depth);
  }

  #applyToExtension(node: ExtensionNode, range: Range): TrieNode | undefined {
    const { path, child } = node;
    const { from, to, depth } = range;
    // Sorted, so that the common prefix of the first and the last with the path is that of all.
    const shared = Math.min(
      sharedLength(this.#changeAt(from).key, depth, path),
      sharedLength(this.#changeAt(to - 1).key, depth, path),
    );
    const inner = { from, to, depth: depth + shared };

    const start = this.#changeAt(from).key;
    if (shared === path.length) {
      const after = this.#applyToChild(child, inner);
      return after === child ? node : after && this.#prefix(path, after, start, depth);
    }

    const below = path.subarray(shared + 1);
    const branch = createBranch();
    branch.children[digit(path, shared)] =
      below.length === 0 ? child : { kind: "extension", path: below, child };
    const after = this.#applyToBranch(branch, inner);
    return after === branch
      ? node
      : after && this.#prefix(path.subarray(0, shared), after, start, depth);
  }

  #applyToBranch(node: BranchNode, range: Range): TrieNode | undefined {
    const { depth, to } = range;
    const children = [...node.children];
    let { value } = node;
    let { from } = range;
    let isChanged = false;

    const first = this.#changeAt(from);
    if (first.key.length === depth) {
      isChanged = !isSameValue(value, first.value);
      value = first.value;
      from++;
    }
    while (from < to) {
      const nibble = digit(this.#changeAt(from).key, depth);
      let end = from + 1;
      while (end < to && digit(this.#changeAt(end).key, depth) === nibble) end++;

      const link = children[nibble];
      const after = this.#applyToChild(link, { from, to: end, depth: depth + 1 });
      if (after !== link) {
        children[nibble] = after;
        isChanged = true;
      }
      from = end;
    }
    return isChanged ? this.#collapse({ kind: "branch", children, value }, first.key, depth) : node;
  }

  /** Returns the link itself if nothing changes below it. */
  #applyToChild(link: Link | undefined, range: Range): Link | undefined {
    const known = this.replaced.length;
    const key = this.#changeAt(range.from).key;
    const before = link && this.#resolve(link, key.subarray(0, range.depth));
    const after = this.apply(before, range);
    if (after !== before) return after;
    this.replaced.length = known;
    return link;
  }

  /** Collapses a branch with a single child or value; it is at the first `depth` nibbles of a key. */
  #collapse(branch: BranchNode, key: Nibbles, depth: number): TrieNode | undefined {
    let only = -1;
    for (let nibble = 0; nibble < branch.children.length; nibble++) {
      if (branch.children[nibble] === undefined) continue;
      if (only !== -1 || branch.value !== undefined) return branch;
      only = nibble;
    }
    const child = branch.children[only];
    if (child !== undefined) return this.#prefix(Uint8Array.of(only), child, key, depth);
    return branch.value && { kind: "leaf", path: new Uint8Array(), value: branch.value };
  }

  /**
   * Prepends nibbles to a node; only a branch stays a separate node. The result is at the first `depth` nibbles of a
   * key.
   */
  #prefix(path: Nibbles, link: Link, key: Nibbles, depth: number): TrieNode {
    const known = this.replaced.length;
    const node = this.#resolve(link, isHash(link) ? join(key.subarray(0, depth), path) : path);
    if (path.length === 0) return node;
    if (node.kind === "branch") {
      this.replaced.length = known;
      return { kind: "extension", path, child: link };
    }
    return { ...node, path: join(path, node.path) };
  }

  #resolve(link: Link, path: Nibbles): TrieNode {
    if (!isHash(link)) return link;
    this.replaced.push(path);
    return this.#nodes.getNode(toHex(link), path);
  }

  #changeAt(at: number): Change {
    return this.#changes[at] as Change;
  }

  #changesIn({ from, to }: Range): readonly Change[] {
    return this.#changes.slice(from, to);
  }

  #entriesIn(range: Range): Entry[] {
    return this.#changesIn(range).filter(isEntry);
  }
}

function isEntry(change: Change): change is Entry {
  return change.value !== undefined;
}

function createBranch(): { kind: "branch"; children: (Link | undefined)[]; value: undefined } {
  return { kind: "branch", children: new Array(16).fill(undefined), value: undefined };
}

/** The canonical node for entries that share the first `depth` nibbles; sorted. */
function buildNode(entries: readonly Entry[], depth: number): TrieNode | undefined {
  const first = entries[0];
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (entries.length === 1) {
    return { kind: "leaf", path: first.key.subarray(depth), value: first.value };
  }

  const path = first.key.subarray(
    depth,
    depth + sharedLength(last.key, depth, first.key.subarray(depth)),
  );
  const fork = depth + path.length;
  const endsHere = first.key.length === fork;
  const { children } = createBranch();
  for (let from = endsHere ? 1 : 0; from < entries.length; ) {
    const nibble = digit((entries[from] as Entry).key, fork);
    let to = from + 1;
    while (to < entries.length && digit((entries[to] as Entry).key, fork) === nibble) to++;
    children[nibble] = buildNode(entries.slice(from, to), fork + 1);
    from = to;
  }
  const child: BranchNode = { kind: "branch", children, value: endsHere ? first.value : undefined };
  return path.length === 0 ? child : { kind: "extension", path, child };
}

/** Hashes the new nodes from the leaves up; unchanged children are already hashes. */
function hashNew(top: TrieNode): Omit<TrieUpdate, "replaced"> {
  const nodes: NewNode[] = [];

  function add(node: TrieNode, bytes: Uint8Array, path: Nibbles): Uint8Array {
    const hash = keccak256(bytes);
    nodes.push({ hash: toHex(hash), path, bytes, node });
    return hash;
  }

  function finish(child: TrieNode, path: Nibbles): Link {
    // The links become hashes, so that a cached node does not retain others.
    const node = mapNodes(child, path, finish);
    const bytes = encodeNode(node);
    return bytes.length < HASH_BYTES ? node : add(node, bytes, path);
  }

  const node = mapNodes(top, ROOT_PATH, finish);
  return { root: toHex(add(node, encodeNode(node), ROOT_PATH)), nodes };
}

/** Replaces the children that are nodes and not hashes; `path` is the position of the parent. */
function mapNodes(
  node: TrieNode,
  path: Nibbles,
  map: (child: TrieNode, path: Nibbles) => Link,
): TrieNode {
  switch (node.kind) {
    case "leaf":
      return node;
    case "extension":
      return {
        ...node,
        child: isHash(node.child) ? node.child : map(node.child, join(path, node.path)),
      };
    case "branch": {
      const children = node.children.map((child, nibble) =>
        child === undefined || isHash(child)
          ? child
          : map(child, join(path, Uint8Array.of(nibble))),
      );
      return { ...node, children };
    }
  }
}

function digit(nibbles: Nibbles, at: number): number {
  return nibbles[at] ?? 0;
}

function join(a: Nibbles, b: Nibbles): Nibbles {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** Number of nibbles of the path that match the key from `depth` on. */
function sharedLength(key: Nibbles, depth: number, path: Nibbles): number {
  const most = Math.min(path.length, key.length - depth);
  let shared = 0;
  while (shared < most && key[depth + shared] === path[shared]) shared++;
  return shared;
}

function isEqualFrom(key: Nibbles, depth: number, path: Nibbles): boolean {
  return key.length - depth === path.length && sharedLength(key, depth, path) === path.length;
}

function compareFrom(key: Nibbles, depth: number, path: Nibbles): number {
  return Buffer.compare(key.subarray(depth), path);
}

function isSameValue(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}
