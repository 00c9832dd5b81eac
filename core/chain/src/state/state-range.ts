import { type Address, type Hash, hexToBytes, keccak256 } from "@plinth/core";
import type { RangedAccount, RangedSlot } from "@plinth/core/chain";
import type { StateUpdate } from "./state-root.js";
import { decodeAccount, decodeSlotValue } from "./state-values.js";
import { findInTrie, type NodeReader } from "./trie.js";
import type { TrieNode } from "./trie-nodes.js";
import { entriesFrom } from "./trie-range.js";

/** The start of an iteration, and the source of preimages. */
export interface RangeStart {
  readonly start: Hash;
  findPreimage(key: Hash): Hash | Address | undefined;
}

/** The accounts of a state in hash order, from a hash on. */
export function* accountsFrom(
  nodes: NodeReader,
  root: Hash,
  { start, findPreimage }: RangeStart,
): Generator<RangedAccount, undefined> {
  for (const { key } of entriesFrom(nodes, { root, start })) {
    yield { key, address: findPreimage(key) };
  }
}

/** The slots of an account in hash order, from a hash on; empty if the account does not exist. */
export function* slotsFrom(
  nodes: NodeReader,
  { root, address }: { readonly root: Hash; readonly address: Address },
  { start, findPreimage }: RangeStart,
): Generator<RangedSlot, undefined> {
  const key = keccak256(hexToBytes(address));
  const bytes = findInTrie(nodes, { root, key });
  if (bytes === undefined) return;
  const { storageRoot } = decodeAccount(bytes);
  for (const { key, value } of entriesFrom(nodes, { root: storageRoot, start })) {
    yield { key, slot: findPreimage(key), value: decodeSlotValue(value) };
  }
}

/** Reads the nodes of an uncommitted update, then the stored ones. */
export function readerOver(nodes: NodeReader, update: StateUpdate): NodeReader {
  const own = new Map<Hash, TrieNode>(update.nodes.map(({ hash, node }) => [hash, node]));
  return { getNode: (hash) => own.get(hash) ?? nodes.getNode(hash) };
}
