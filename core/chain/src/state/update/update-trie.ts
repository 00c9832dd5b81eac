import { EMPTY_ROOT, type Hash } from "@plinth/core";
import { bytesOf } from "../state-values.js";
import type { NodeReader } from "../trie.js";
import {
  type BranchNode,
  childOf,
  digit,
  type ExtensionNode,
  isHash,
  join,
  type LeafNode,
  type Link,
  type Nibbles,
  nibblesOf,
  sharedLength,
  type TrieNode,
  UsualBranch,
} from "../trie-nodes.js";
import { ChangedBranch } from "./changed-branch.js";
import { hashNew, type NewNode } from "./hash-nodes.js";

/** A new value for a key; `undefined` removes it. */
export interface TrieChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
  /** The value that the trie has, if it is known: it saves reading the leaf. */
  readonly before?: (() => Uint8Array) | undefined;
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
  const sorted = changes.map(({ key, value, before }) => ({ key: nibblesOf(key), value, before }));
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

interface Change extends TrieChange {
  readonly key: Nibbles;
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
    return this.#nodes.getNode(bytesOf(root), ROOT_PATH);
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
    const children = noChildren();
    children[digit(path, shared)] =
      below.length === 0 ? child : { kind: "extension", path: below, child };
    const branch: BranchNode = { kind: "branch", children, value: undefined };
    const after = this.#applyToBranch(branch, inner);
    return after === branch
      ? node
      : after && this.#prefix(path.subarray(0, shared), after, start, depth);
  }

  #applyToBranch(node: BranchNode, range: Range): TrieNode | undefined {
    const { depth, to } = range;
    let { value } = node;
    let { from } = range;
    const children = new Map<number, Link | undefined>();
    let isShorter = false;

    const first = this.#changeAt(from);
    if (first.key.length === depth) {
      value = first.value;
      isShorter = value === undefined;
      from++;
    }
    while (from < to) {
      const nibble = digit(this.#changeAt(from).key, depth);
      let end = from + 1;
      while (end < to && digit(this.#changeAt(end).key, depth) === nibble) end++;

      const link = childOf(node, nibble);
      const inner = { from, to: end, depth: depth + 1 };
      // Below a full branch there are usually more branches.
      const guess = node instanceof UsualBranch && node.isFull ? undefined : this.#guess(inner);
      const after = this.#applyToChild(link, inner, guess);
      if (after !== link) children.set(nibble, after);
      if (after === undefined) isShorter = true;
      from = end;
    }
    if (children.size === 0 && isSameValue(value, node.value)) return node;
    const branch = new ChangedBranch(node, children, value);
    return isShorter ? this.#collapse(branch, first.key, depth) : branch;
  }

  /** Returns the link itself if nothing changes below it. */
  #applyToChild(link: Link | undefined, range: Range, guess?: () => LeafNode): Link | undefined {
    const known = this.replaced.length;
    const key = this.#changeAt(range.from).key;
    const before = link && this.#resolve(link, key.subarray(0, range.depth), guess);
    const after = this.apply(before, range);
    if (after !== before) return after;
    this.replaced.length = known;
    return link;
  }

  /** Collapses a branch with a single child or value; it is at the first `depth` nibbles of a key. */
  #collapse(branch: BranchNode, key: Nibbles, depth: number): TrieNode | undefined {
    const { children } = branch;
    let only = -1;
    for (let nibble = 0; nibble < children.length; nibble++) {
      if (children[nibble] === undefined) continue;
      if (only !== -1 || branch.value !== undefined) return branch;
      only = nibble;
    }
    const child = children[only];
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

  #resolve(link: Link, path: Nibbles, guess?: () => LeafNode): TrieNode {
    if (!isHash(link)) return link;
    this.replaced.push(path);
    return this.#nodes.getNode(link, path, guess);
  }

  /** The leaf that a single change finds, if nothing else is there. */
  #guess({ from, to, depth }: Range): (() => LeafNode) | undefined {
    const { key, before } = this.#changeAt(from);
    if (before === undefined || to - from > 1) return undefined;
    return () => ({ kind: "leaf", path: key.subarray(depth), value: before() });
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

function noChildren(): (Link | undefined)[] {
  return new Array(16).fill(undefined);
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
  const children = noChildren();
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

function compareFrom(key: Nibbles, depth: number, path: Nibbles): number {
  return Buffer.compare(key.subarray(depth), path);
}

function isSameValue(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}
