import { EMPTY_ROOT, type Hash, messageOf, toHex } from "@plinth/core";
import type { VerifiedNode } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { bytesOf, decodeAccount } from "../state/state-values.js";
import { decodeNode, isHash, type Link, type TrieNode } from "../state/trie-nodes.js";

/**
 * Verifies a whole state: every node and all code must be present and match its hash.
 *
 * Storage shared by accounts is visited once.
 */
export class StateWalk {
  readonly #nodes: Table;
  readonly #code: Table;
  readonly #seen = new Set<Hash>();

  constructor(source: { table(name: string): Table }) {
    this.#nodes = source.table(TABLES.trieNodes);
    this.#code = source.table(TABLES.code);
  }

  *run(root: Hash): Generator<VerifiedNode> {
    for (const step of this.#walk(root)) {
      yield step;
      if (step.leaf === undefined) continue;
      try {
        const { storageRoot, codeHash } = decodeAccount(step.leaf);
        if (codeHash !== EMPTY_CODE_HASH) yield this.#verifyCode(codeHash);
        if (this.#isNew(storageRoot)) yield* this.#walk(storageRoot);
      } catch (error) {
        yield problem("state", `an account cannot be read: ${messageOf(error)}`);
      }
    }
  }

  *#walk(root: Hash): Generator<VerifiedNode & { readonly leaf?: Uint8Array }> {
    const open: Link[] = root === EMPTY_ROOT ? [] : [bytesOf(root)];
    for (let link = open.pop(); link !== undefined; link = open.pop()) {
      const { node, problems } = isHash(link)
        ? this.#read(toHex(link))
        : { node: link, problems: [] };
      if (node?.kind === "leaf") yield { problems, leaf: node.value };
      else yield { problems };
      if (node !== undefined) open.push(...childrenOf(node));
    }
  }

  #read(hash: Hash): VerifiedNode & { readonly node?: TrieNode } {
    try {
      const bytes = this.#nodes.getSync(bytesOf(hash));
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

function childrenOf(node: TrieNode): readonly Link[] {
  if (node.kind === "leaf") return [];
  if (node.kind === "extension") return [node.child];
  return node.children.filter((child) => child !== undefined);
}

function problem(where: string, text: string): VerifiedNode {
  return { problems: [{ where, problem: text }] };
}
