import { EMPTY_ROOT, type Hash, keccak256, toHex } from "@plinth/core";
import {
  type BranchNode,
  encodeNode,
  HASH_BYTES,
  type Link,
  type Nibbles,
  nibblesOf,
  type TrieNode,
} from "./trie-nodes.js";

/** A node of a trie that is built. */
export interface BuiltNode {
  /** The nibbles from the root to the node; valid only during the call. */
  readonly path: Nibbles;
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

/** A branch whose keys are not all known yet. */
interface OpenBranch extends BranchNode {
  /** The number of nibbles that its keys share. */
  readonly depth: number;
  readonly children: (Link | undefined)[];
  value: Uint8Array | undefined;
}

/** The entry before the next one, which decides at which depth the two part. */
interface Leaf {
  readonly key: Nibbles;
  readonly value: Uint8Array;
}

const TOP: Nibbles = new Uint8Array();

/**
 * Builds a trie from entries in the order of their keys, in one pass.
 *
 * Keeps one branch per level in memory. Each node is emitted once it is complete: children before
 * their parent, and nothing for nodes that are embedded in their parent.
 */
export class TrieBuilder {
  readonly #emit: (node: BuiltNode) => void;
  /** From the root down. */
  readonly #open: OpenBranch[] = [];
  readonly #start: number;
  #last: Leaf | undefined;

  /** With `start`, builds the part of a trie below that many nibbles, which its keys share. */
  constructor(emit: (node: BuiltNode) => void, start = 0) {
    this.#emit = emit;
    this.#start = start;
  }

  /** Adds an entry; throws a `RangeError` if its key is not above the key before. */
  add(key: Uint8Array, value: Uint8Array): void {
    const next = { key: nibblesOf(key).subarray(this.#start), value };
    if (this.#last !== undefined) {
      const fork = sharedLength(this.#last.key, next.key);
      verifyOrder(this.#last.key, next.key, fork);
      this.#place(this.#last, fork);
    }
    this.#last = next;
  }

  /** Completes the trie; returns its root, which is hashed, however short. */
  finish(): Hash {
    const root = this.#complete();
    return root === undefined ? EMPTY_ROOT : toHex(this.#add(encodeNode(root), TOP));
  }

  /** Completes a part of a trie; returns what its parent refers to. */
  finishPart(): Link | undefined {
    const top = this.#complete();
    return top && this.#link(top, TOP);
  }

  #complete(): TrieNode | undefined {
    const last = this.#last;
    if (last === undefined) return undefined;
    const lowest = this.#open.at(-1);
    if (lowest === undefined) return { kind: "leaf", path: last.key, value: last.value };
    this.#attach(last, lowest);
    while (this.#open.length > 1) this.#close(last.key, this.#open.at(-2) as OpenBranch);
    const { depth, ...branch } = this.#open[0] as OpenBranch;
    if (depth === 0) return branch;
    const path = last.key.subarray(0, depth);
    return { kind: "extension", path, child: this.#link(branch, path) };
  }

  /** Attaches the last entry; the next one shares `fork` nibbles with it. */
  #place(leaf: Leaf, fork: number): void {
    const top = this.#open.at(-1);
    if (top === undefined || top.depth < fork) {
      this.#attach(leaf, this.#openAt(fork));
      return;
    }
    this.#attach(leaf, top);
    while ((this.#open.at(-1)?.depth ?? 0) > fork) {
      const above = this.#open.at(-2);
      if (above !== undefined && above.depth >= fork) this.#close(leaf.key, above);
      else {
        const below = this.#open.pop() as OpenBranch;
        this.#attachBranch(leaf.key, below, this.#openAt(fork));
      }
    }
  }

  #openAt(depth: number): OpenBranch {
    const children = new Array<Link | undefined>(16).fill(undefined);
    const branch: OpenBranch = { kind: "branch", depth, children, value: undefined };
    this.#open.push(branch);
    return branch;
  }

  #attach({ key, value }: Leaf, branch: OpenBranch): void {
    if (key.length === branch.depth) {
      branch.value = value;
      return;
    }
    const start = branch.depth + 1;
    const leaf = { kind: "leaf", path: key.subarray(start), value } as const;
    branch.children[key[branch.depth] as number] = this.#link(leaf, key.subarray(0, start));
  }

  /** Completes the lowest branch. */
  #close(key: Nibbles, above: OpenBranch): void {
    this.#attachBranch(key, this.#open.pop() as OpenBranch, above);
  }

  #attachBranch(key: Nibbles, { depth, ...branch }: OpenBranch, above: OpenBranch): void {
    const start = above.depth + 1;
    const child = this.#link(branch, key.subarray(0, depth));
    const path = key.subarray(start, depth);
    above.children[key[above.depth] as number] =
      path.length === 0
        ? child
        : this.#link({ kind: "extension", path, child }, key.subarray(0, start));
  }

  #link(node: TrieNode, path: Nibbles): Link {
    const bytes = encodeNode(node);
    return bytes.length < HASH_BYTES ? node : this.#add(bytes, path);
  }

  #add(bytes: Uint8Array, path: Nibbles): Uint8Array {
    const hash = keccak256(bytes);
    this.#emit({ path, hash, bytes });
    return hash;
  }
}

function sharedLength(a: Nibbles, b: Nibbles): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}

function verifyOrder(before: Nibbles, key: Nibbles, shared: number): void {
  const isAbove = shared === before.length ? key.length > shared : isHigher(key, before, shared);
  if (!isAbove) throw new RangeError("the keys of a trie must be added in ascending order");
}

function isHigher(a: Nibbles, b: Nibbles, at: number): boolean {
  return at < a.length && (a[at] as number) > (b[at] as number);
}
