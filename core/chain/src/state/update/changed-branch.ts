import { type BranchNode, isHash, type Link, UsualBranch } from "../trie-nodes.js";

/** A branch on top of a stored one: some of its children, and maybe its value, are others. */
export class ChangedBranch implements BranchNode {
  readonly kind = "branch";
  readonly value: Uint8Array | undefined;
  readonly #before: BranchNode;
  readonly #changed: ReadonlyMap<number, Link | undefined>;

  constructor(
    before: BranchNode,
    changed: ReadonlyMap<number, Link | undefined>,
    value: Uint8Array | undefined,
  ) {
    this.#before = before;
    this.#changed = changed;
    this.value = value;
  }

  get children(): readonly (Link | undefined)[] {
    const children = [...this.#before.children];
    for (const [nibble, link] of this.#changed) children[nibble] = link;
    return children;
  }

  /** The branch with its final children: hashes, or short nodes. */
  finish(map: (link: Link, nibble: number) => Link): BranchNode {
    const finished = new Map<number, Link | undefined>();
    const hashes = new Map<number, Uint8Array>();
    for (const [nibble, link] of this.#changed) {
      const after = link && map(link, nibble);
      finished.set(nibble, after);
      if (after !== undefined && isHash(after)) hashes.set(nibble, after);
    }
    const before = this.#before;
    const isUsual = before instanceof UsualBranch && this.value === undefined;
    const replaced = isUsual && hashes.size === finished.size ? before.replace(hashes) : undefined;
    if (replaced !== undefined) return replaced;
    const children = before.children.map((link, nibble) =>
      finished.has(nibble) ? finished.get(nibble) : link && map(link, nibble),
    );
    return { kind: "branch", children, value: this.value };
  }
}
