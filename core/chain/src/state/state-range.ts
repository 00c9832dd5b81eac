import { type Address, type Hash, hexToBytes, keccak256 } from "@plinth/core";
import type { RangedAccount, RangedSlot } from "@plinth/core/chain";
import { entriesFrom } from "./ranges/trie-range.js";
import { nodesOf, type StateUpdate } from "./state-root.js";
import type { StateSource } from "./state-source.js";
import { decodeAccount, decodeSlotValue, textOf } from "./state-values.js";
import { findInTrie, type NodeReader } from "./trie.js";
import type { TrieNode } from "./trie-nodes.js";

/** The start of an iteration, and the source of preimages. */
export interface RangeStart {
  readonly start: Hash;
  findPreimage(key: Hash): Hash | Address | undefined;
}

/** The accounts of a state in hash order, from a hash on. */
export function* accountsFrom(
  source: Pick<StateSource, "root" | "openTries">,
  { start, findPreimage }: RangeStart,
): Generator<RangedAccount, undefined> {
  using tries = source.openTries();
  for (const { key } of entriesFrom(tries.accounts, { root: source.root, start })) {
    yield { key, address: findPreimage(key) };
  }
}

/** The slots of an account in hash order, from a hash on; empty if the account does not exist. */
export function* slotsFrom(
  source: Pick<StateSource, "root" | "openTries">,
  address: Address,
  { start, findPreimage }: RangeStart,
): Generator<RangedSlot, undefined> {
  const accountKey = keccak256(hexToBytes(address));
  using tries = source.openTries();
  const bytes = findInTrie(tries.accounts, { root: source.root, key: accountKey });
  if (bytes === undefined) return;
  const { storageRoot: root } = decodeAccount(bytes);
  for (const { key, value } of entriesFrom(tries.storageOf(accountKey), { root, start })) {
    yield { key, slot: findPreimage(key), value: decodeSlotValue(value) };
  }
}

/** Reads the tries of an uncommitted update, then the stored ones. */
export function sourceOver(
  source: StateSource,
  update: StateUpdate,
): Pick<StateSource, "root" | "openTries"> {
  const own = new Map<string, TrieNode>();
  for (const { hash, node } of nodesOf(update)) own.set(textOf(hash), node);
  const over = (nodes: NodeReader): NodeReader => ({
    getNode: (hash, path) => own.get(textOf(hash)) ?? nodes.getNode(hash, path),
  });
  return {
    root: update.root,
    openTries() {
      const tries = source.openTries();
      return {
        accounts: over(tries.accounts),
        storageOf: (key) => over(tries.storageOf(key)),
        [Symbol.dispose]: () => tries[Symbol.dispose](),
      };
    },
  };
}
