import { encodeSlotValue, TrieBuilder } from "@plinth/chain";
import { EMPTY_ROOT, type Hash, hexToBytes, Yielder } from "@plinth/core";
import type { JoinedSlot } from "@plinth/core/chain";

/** A slot of another node. */
export interface RemoteSlot {
  /** `undefined` if the node does not know it. */
  readonly slot: Hash | undefined;
  readonly value: bigint;
}

/** The storage of an account by the hashes of its slots. */
export type Storage = Map<Hash, RemoteSlot>;

/** The root of a storage. */
export async function rootOf(storage: Storage): Promise<Hash> {
  if (storage.size === 0) return EMPTY_ROOT;
  const turns = new Yielder();
  const trie = new TrieBuilder(() => {});
  for (const [key, { value }] of [...storage].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await turns.yield();
    trie.add(hexToBytes(key), encodeSlotValue(value));
  }
  return trie.finish();
}

/** The slots of a storage as the core takes them. */
export function toSlots(storage: Storage): readonly JoinedSlot[] {
  return Array.from(storage, ([key, { slot, value }]) => ({ key: hexToBytes(key), slot, value }));
}
