import type { Hash } from "@plinth/core";
import { isHash } from "../state/trie-nodes.js";
import { digitsOf, type HashedNodes, partsBelow, partsOf, type TriePart } from "./trie-walk.js";

/** A key whose value differs; `undefined` where it has none. */
export interface Difference {
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** Compares two tries in the order of keys; parts that they share are not read. */
export function* compareTries(
  nodes: HashedNodes,
  { before, after }: { readonly before: Hash; readonly after: Hash },
): Generator<Difference, undefined> {
  const old = new Cursor(nodes, before);
  const next = new Cursor(nodes, after);
  for (;;) {
    const [a, b] = [old.top, next.top];
    if (a === undefined && b === undefined) return;
    if (a !== undefined && b !== undefined && isSame(a, b)) {
      old.skip();
      next.skip();
    } else if (a !== undefined && b?.path.startsWith(a.path) !== false && old.expand()) {
      // The part of the other trie, if there is one, is at or below this one.
    } else if (b !== undefined && a?.path.startsWith(b.path) !== false && next.expand()) {
      // The same the other way round.
    } else {
      yield* differenceOf(old, next);
    }
  }
}

/** Takes the lower one of two parts, or both if they have the same key. */
function* differenceOf(old: Cursor, next: Cursor): Generator<Difference, undefined> {
  const [a, b] = [old.top, next.top];
  const isOld = b === undefined || (a !== undefined && a.path <= b.path);
  const isNew = a === undefined || (b !== undefined && b.path <= a.path);
  // Not comparable with the other one, so everything below is in one trie only.
  if ((isOld && old.expand()) || (isNew && next.expand())) return;
  const path = (isOld ? a : b)?.path ?? "";
  const before = isOld ? old.takeValue() : undefined;
  const after = isNew ? next.takeValue() : undefined;
  if (before !== undefined && after !== undefined && Buffer.compare(before, after) === 0) return;
  yield { key: Buffer.from(path, "hex"), before, after };
}

/** A position in a trie: the parts that are still to be compared, the first one last. */
class Cursor {
  readonly #nodes: HashedNodes;
  readonly #open: (TriePart | Value)[];

  constructor(nodes: HashedNodes, root: Hash) {
    this.#nodes = nodes;
    this.#open = partsOf(root);
  }

  get top(): TriePart | Value | undefined {
    return this.#open.at(-1);
  }

  skip(): void {
    this.#open.pop();
  }

  /** Replaces the first part by those below it; false if it is a value. */
  expand(): boolean {
    const top = this.#open.at(-1);
    if (top === undefined || "value" in top) return false;
    this.#open.pop();
    const node = this.#nodes.resolve(top.link);
    if (node.kind === "leaf") {
      this.#open.push({ path: top.path + digitsOf(node.path), value: node.value });
    } else {
      this.#open.push(...partsBelow(node, top.path));
    }
    return true;
  }

  takeValue(): Uint8Array | undefined {
    const top = this.#open.pop();
    return top !== undefined && "value" in top ? top.value : undefined;
  }
}

/** A value with its whole key. */
interface Value {
  readonly path: string;
  readonly value: Uint8Array;
}

/** Whether two parts have the same hash, and so the same content. */
function isSame(a: TriePart | Value, b: TriePart | Value): boolean {
  if (a.path !== b.path || "value" in a || "value" in b) return false;
  return isHash(a.link) && isHash(b.link) && Buffer.compare(a.link, b.link) === 0;
}
