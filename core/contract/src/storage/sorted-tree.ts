import type { Entry, KeyRange } from "./store.js";

/**
 * An immutable map in byte order of the keys; a change returns a new tree.
 *
 * Both share all but the path to the change, so that keeping old trees is cheap. An AVL tree
 * (Adelson-Velsky and Landis): the heights of two siblings differ by one at most.
 */
export type SortedTree = TreeNode | undefined;

interface TreeNode {
  readonly entry: Entry;
  readonly left: SortedTree;
  readonly right: SortedTree;
  readonly height: number;
}

/** The value of a key; `undefined` if it is missing. */
export function findValue(tree: SortedTree, key: Uint8Array): Uint8Array | undefined {
  let node = tree;
  while (node !== undefined) {
    const order = Buffer.compare(key, node.entry[0]);
    if (order === 0) return node.entry[1];
    node = order < 0 ? node.left : node.right;
  }
  return undefined;
}

/** The tree with an added or replaced entry. */
export function withEntry(tree: SortedTree, entry: Entry): SortedTree {
  if (tree === undefined) return createNode(entry, undefined, undefined);

  const order = Buffer.compare(entry[0], tree.entry[0]);
  if (order < 0) return createBalanced(tree.entry, withEntry(tree.left, entry), tree.right);
  if (order > 0) return createBalanced(tree.entry, tree.left, withEntry(tree.right, entry));
  return createNode(entry, tree.left, tree.right);
}

/** The tree without a key. */
export function withoutKey(tree: SortedTree, key: Uint8Array): SortedTree {
  if (tree === undefined) return undefined;

  const { entry, left, right } = tree;
  const order = Buffer.compare(key, entry[0]);
  if (order < 0) return createBalanced(entry, withoutKey(left, key), right);
  if (order > 0) return createBalanced(entry, left, withoutKey(right, key));
  if (left === undefined) return right;
  if (right === undefined) return left;
  const next = lowestEntry(right);
  return createBalanced(next, left, withoutKey(right, next[0]));
}

/** Iterates the entries of a range. */
export function* walkTree(
  tree: SortedTree,
  { from, to, reverse = false, limit = Number.POSITIVE_INFINITY }: KeyRange,
): Generator<Entry, void> {
  const isBelow = ([key]: Entry) => from !== undefined && Buffer.compare(key, from) < 0;
  const isAbove = ([key]: Entry) => to !== undefined && Buffer.compare(key, to) >= 0;
  const [near, far] = reverse ? (["right", "left"] as const) : (["left", "right"] as const);
  const [isBefore, isPast] = reverse ? [isAbove, isBelow] : [isBelow, isAbove];

  /** The nodes whose near side is done, the next one last. */
  const open: TreeNode[] = [];
  let node = tree;
  for (let count = 0; count < limit; count++) {
    while (node !== undefined) {
      const isOutside = isBefore(node.entry);
      if (!isOutside) open.push(node);
      node = isOutside ? node[far] : node[near];
    }
    const next = open.pop();
    if (next === undefined || isPast(next.entry)) return;
    yield next.entry;
    node = next[far];
  }
}

function heightOf(tree: SortedTree): number {
  return tree?.height ?? 0;
}

function createNode(entry: Entry, left: SortedTree, right: SortedTree): TreeNode {
  return { entry, left, right, height: 1 + Math.max(heightOf(left), heightOf(right)) };
}

/**
 * A node whose sides may differ in height by two, as after one change; rotates them into balance.
 */
function createBalanced(entry: Entry, left: SortedTree, right: SortedTree): TreeNode {
  if (left !== undefined && left.height > heightOf(right) + 1) {
    const inner = left.right;
    if (inner !== undefined && inner.height > heightOf(left.left)) {
      return createNode(
        inner.entry,
        createNode(left.entry, left.left, inner.left),
        createNode(entry, inner.right, right),
      );
    }
    return createNode(left.entry, left.left, createNode(entry, inner, right));
  }
  if (right !== undefined && right.height > heightOf(left) + 1) {
    const inner = right.left;
    if (inner !== undefined && inner.height > heightOf(right.right)) {
      return createNode(
        inner.entry,
        createNode(entry, left, inner.left),
        createNode(right.entry, inner.right, right.right),
      );
    }
    return createNode(right.entry, createNode(entry, left, inner), right.right);
  }
  return createNode(entry, left, right);
}

function lowestEntry(tree: TreeNode): Entry {
  let node = tree;
  while (node.left !== undefined) node = node.left;
  return node.entry;
}
