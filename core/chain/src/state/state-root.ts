import { type Address, type Hash, toHex } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";
import type { Account } from "@plinth/core/evm";
import { bytesOf, encodeAccount, encodeSlotValue } from "./state-values.js";
import { type NewNode, type NodeReader, type TrieChange, updateTrie } from "./trie.js";

/** The changes of an account since a state root. */
export interface AccountChange {
  readonly address: Address;
  /** The key in the account trie. */
  readonly key: Uint8Array;
  readonly before: StoredAccount | undefined;
  /** `undefined` if it was deleted. */
  readonly after: Account | undefined;
  /** The storage that the slots below change; an empty trie if it was cleared. */
  readonly storageRoot: Hash;
  readonly slots: readonly SlotChange[];
  /** Its code, if it changed. */
  readonly code?: Uint8Array;
}

/** A new value of a storage slot. */
export interface SlotChange {
  readonly slot: Hash;
  /** The key in the storage trie. */
  readonly key: Uint8Array;
  readonly before: bigint;
  readonly value: bigint;
}

/** A state after changes, and everything to write for it. */
export interface StateUpdate {
  readonly root: Hash;
  readonly nodes: readonly NewNode[];
  /** By hash. */
  readonly code: ReadonlyMap<Hash, Uint8Array>;
  /** Addresses and slots by their hashes. */
  readonly preimages: ReadonlyMap<Hash, Uint8Array>;
}

/**
 * Computes the root after changes: storage tries first, then the account trie, each in one pass.
 *
 * Writes nothing and touches no cache: an unused update is just dropped.
 */
export function updateState(
  reader: NodeReader,
  { root, changes }: { readonly root: Hash; readonly changes: readonly AccountChange[] },
): StateUpdate {
  const nodes: NewNode[] = [];
  const code = new Map<Hash, Uint8Array>();
  const preimages = new Map<Hash, Uint8Array>();

  const accounts = changes.flatMap((change): readonly TrieChange[] => {
    const { address, key, before, after } = change;
    if (after === undefined) return before === undefined ? [] : [{ key, value: undefined }];

    const storage = updateTrie(reader, {
      root: change.storageRoot,
      changes: change.slots.map(({ key, value }) => ({
        key,
        value: value === 0n ? undefined : encodeSlotValue(value),
      })),
    });
    for (const node of storage.nodes) nodes.push(node);
    for (const { slot, key, before } of change.slots) {
      if (before === 0n) preimages.set(toHex(key), bytesOf(slot));
    }
    if (before === undefined) preimages.set(toHex(key), bytesOf(address));
    if (change.code !== undefined) code.set(after.codeHash, change.code);

    const account = { ...after, storageRoot: storage.root };
    return isSame(before, account) ? [] : [{ key, value: encodeAccount(account) }];
  });

  const trie = updateTrie(reader, { root, changes: accounts });
  for (const node of trie.nodes) nodes.push(node);
  return { root: trie.root, nodes, code, preimages };
}

function isSame(a: StoredAccount | undefined, b: StoredAccount): boolean {
  return (
    a !== undefined &&
    a.nonce === b.nonce &&
    a.balance === b.balance &&
    a.storageRoot === b.storageRoot &&
    a.codeHash === b.codeHash
  );
}
