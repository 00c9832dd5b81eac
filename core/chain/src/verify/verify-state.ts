import { EMPTY_ROOT, type Hash, messageOf, type SealedHeader, toHex } from "@plinth/core";
import type { VerifiedNode } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { bytesOf, decodeAccount } from "../state/state-values.js";
import {
  decodeNode,
  isHash,
  type LeafNode,
  type Link,
  type Nibbles,
  type TrieNode,
} from "../state/trie-nodes.js";
import { verifyValues } from "./verify-values.js";
import { openWalkedStates, type WalkedStates, type WalkedTrie } from "./walked-states.js";

/** A node to visit: in which trie, and where. */
interface Visit {
  readonly link: Link;
  readonly path: Nibbles;
}

type StateOfBlock = Pick<SealedHeader, "stateRoot" | "number">;

type Step = VerifiedNode & {
  readonly leaf?: { readonly key: Uint8Array; readonly value: Uint8Array };
};

/**
 * Verifies a whole state: every node and all code must be present and match its hash, and values their tries.
 *
 * Storage shared by accounts is visited once if it is stored once.
 */
export class StateWalk {
  readonly #states: WalkedStates;
  readonly #code: Table;
  readonly #seen = new Set<Hash>();
  readonly #source: { table(name: string): Table };
  readonly #leaves = { accounts: 0, slots: 0 };

  constructor(source: { table(name: string): Table }) {
    this.#source = source;
    this.#states = openWalkedStates(source);
    this.#code = source.table(TABLES.code);
  }

  /** The same as `run`, and then that there are no other values; a walk runs once. */
  async *runAll({ stateRoot, number }: StateOfBlock): AsyncGenerator<VerifiedNode> {
    yield* this.run(stateRoot);
    yield* verifyValues(this.#source, { head: Number(number), leaves: this.#leaves });
  }

  *run(root: Hash): Generator<VerifiedNode> {
    for (const step of this.#walk({}, root)) {
      yield step;
      if (step.leaf === undefined) continue;
      try {
        const { storageRoot, codeHash } = decodeAccount(step.leaf.value);
        if (codeHash !== EMPTY_CODE_HASH) yield this.#verifyCode(codeHash);
        const isVisited = this.#states.sharesStorage && !this.#isNew(storageRoot);
        if (!isVisited) yield* this.#walk({ accountKey: step.leaf.key }, storageRoot);
      } catch (error) {
        yield problem("state", `an account cannot be read: ${messageOf(error)}`);
      }
    }
  }

  *#walk(trie: WalkedTrie, root: Hash): Generator<Step> {
    const open: Visit[] =
      root === EMPTY_ROOT ? [] : [{ link: bytesOf(root), path: new Uint8Array() }];
    for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
      const { link, path } = visit;
      const { node, problems } = isHash(link)
        ? this.#read(trie, toHex(link), path)
        : { node: link, problems: [] };
      if (node?.kind === "leaf") yield this.#verifyLeaf(trie, node, path);
      else yield { problems };
      if (node !== undefined) open.push(...childrenOf(node, path));
    }
  }

  #verifyLeaf(trie: WalkedTrie, { path, value }: LeafNode, start: Nibbles): Step {
    const key = bytesOfNibbles(Buffer.concat([start, path]));
    this.#leaves[trie.accountKey === undefined ? "accounts" : "slots"] += 1;
    try {
      const text = this.#states.findProblem(trie, key, value);
      const problems = text === undefined ? [] : [{ where: "state", problem: text }];
      return { problems, leaf: { key, value } };
    } catch (error) {
      return { ...problem("state", messageOf(error)), leaf: { key, value } };
    }
  }

  #read(trie: WalkedTrie, hash: Hash, path: Nibbles): VerifiedNode & { readonly node?: TrieNode } {
    try {
      const bytes = this.#states.findNode(trie, hash, path);
      if (bytes === undefined) return problem("state", `the trie node ${hash} is missing`);
      const found = keccakHash(bytes);
      if (found !== hash) return problem("state", `the trie node ${hash} has the hash ${found}`);
      return { node: decodeNode(bytes), problems: [] };
    } catch (error) {
      return problem("state", messageOf(error));
    }
  }

  #verifyCode(hash: Hash): VerifiedNode {
    if (!this.#isNew(hash)) return { problems: [] };
    const code = this.#code.getSync(bytesOf(hash));
    if (code === undefined) return problem("state", `the code ${hash} is missing`);
    const found = keccakHash(code);
    return found === hash
      ? { problems: [] }
      : problem("state", `the code ${hash} has the hash ${found}`);
  }

  #isNew(hash: Hash): boolean {
    if (this.#seen.has(hash)) return false;
    this.#seen.add(hash);
    return true;
  }
}

function childrenOf(node: TrieNode, path: Nibbles): readonly Visit[] {
  if (node.kind === "leaf") return [];
  if (node.kind === "extension") {
    return [{ link: node.child, path: Buffer.concat([path, node.path]) }];
  }
  return node.children.flatMap((link, nibble) =>
    link === undefined ? [] : [{ link, path: Buffer.concat([path, Uint8Array.of(nibble)]) }],
  );
}

function bytesOfNibbles(nibbles: Nibbles): Uint8Array {
  return Uint8Array.from({ length: nibbles.length >> 1 }, (_, index) => {
    const [high = 0, low = 0] = nibbles.subarray(index * 2, index * 2 + 2);
    return high * 16 + low;
  });
}

function problem(where: string, text: string): VerifiedNode {
  return { problems: [{ where, problem: text }] };
}
