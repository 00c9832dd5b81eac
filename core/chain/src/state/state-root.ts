import { type Address, EMPTY_ROOT, type Hash, toHex } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";
import type { Account } from "@plinth/core/evm";
import type { SlotChange, StateSource, StateTries } from "./state-source.js";
import { bytesOf, encodeAccount, encodeSlotValue } from "./state-values.js";
import type { NewNode } from "./update/hash-nodes.js";
import { type TrieUpdate, updateTrie } from "./update/update-trie.js";

/** The changes of an account since a state root. */
export interface AccountChange {
  /** `undefined` if it is unknown: then it is not stored. */
  readonly address: Address | undefined;
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

/** An account after changes, and its storage trie. */
export interface AccountUpdate {
  /** The key in the account trie. */
  readonly key: Uint8Array;
  /** As its source returned it. */
  readonly before: StoredAccount | undefined;
  /** `undefined` if it was deleted. */
  readonly after: StoredAccount | undefined;
  /** How often its storage was cleared, including by these changes. */
  readonly incarnation: number;
  readonly slots: readonly SlotChange[];
  readonly storage: TrieUpdate;
}

/** A state after changes, and everything to write for it. */
export interface StateUpdate {
  readonly root: Hash;
  /** The accounts that changed. */
  readonly accounts: readonly AccountUpdate[];
  readonly trie: TrieUpdate;
  /** By hash. */
  readonly code: ReadonlyMap<Hash, Uint8Array>;
  /** Addresses and slots by their hashes. */
  readonly preimages: ReadonlyMap<Hash, Uint8Array>;
}

const NO_STORAGE: TrieUpdate = { root: EMPTY_ROOT, nodes: [], replaced: [] };

/**
 * Computes the root after changes: storage tries first, then the account trie, each in one pass.
 *
 * Writes nothing and touches no cache: an unused update is just dropped.
 */
export function updateState(source: StateSource, changes: readonly AccountChange[]): StateUpdate {
  using tries = source.openTries();
  const code = new Map<Hash, Uint8Array>();
  const preimages = new Map<Hash, Uint8Array>();

  const accounts = changes.flatMap((found): readonly AccountUpdate[] => {
    const change = withMark(source, found);
    const { address, key, before, after } = change;
    if (after === undefined && before === undefined) return [];
    const incarnation = source.incarnationOf(key, before) + (isCleared(found) ? 1 : 0);
    if (after === undefined) {
      return [{ key, before, after, incarnation, slots: [], storage: NO_STORAGE }];
    }

    const storage = updateStorage(tries, change);
    for (const { slot, key, before } of change.slots) {
      if (before.value === 0n && slot !== undefined) preimages.set(toHex(key), bytesOf(slot));
    }
    if (before === undefined && address !== undefined) {
      preimages.set(toHex(key), bytesOf(address));
    }
    if (change.code !== undefined) code.set(after.codeHash, change.code);

    const account = { ...after, storageRoot: storage.root };
    // A slot whose value is somewhere else may become zero without a change of the root.
    if (found.slots.length === 0 && isSame(before, account)) return [];
    return [{ key, before, after: account, incarnation, slots: change.slots, storage }];
  });

  const trie = updateTrie(tries.accounts, {
    root: source.root,
    changes: accounts.map(({ key, before, after }) => ({
      key,
      value: after && encodeAccount(after),
      before: before && (() => encodeAccount(before)),
    })),
  });
  return { root: trie.root, accounts, trie, code, preimages };
}

/** Marks the storage of an account whose other slots are somewhere else, when it is first written. */
function withMark({ markOf }: StateSource, change: AccountChange): AccountChange {
  const { before, storageRoot, slots } = change;
  if (markOf === undefined || before === undefined || storageRoot === EMPTY_ROOT) return change;
  const mark = markOf(before);
  return mark === undefined
    ? change
    : { ...change, storageRoot: EMPTY_ROOT, slots: [mark, ...slots] };
}

function updateStorage(tries: StateTries, { key, storageRoot, slots }: AccountChange): TrieUpdate {
  if (slots.length === 0) return { root: storageRoot, nodes: [], replaced: [] };
  return updateTrie(tries.storageOf(key), {
    root: storageRoot,
    changes: slots.map(({ key, before, value }) => ({
      key,
      value: value === 0n ? undefined : encodeSlotValue(value),
      before: before.value === 0n ? undefined : () => encodeSlotValue(before.value),
    })),
  });
}

/** An update without changes. */
export function unchangedState(root: Hash): StateUpdate {
  const trie = { root, nodes: [], replaced: [] };
  return { root, accounts: [], trie, code: new Map(), preimages: new Map() };
}

/** All new nodes of an update. */
export function* nodesOf({ accounts, trie }: StateUpdate): Generator<NewNode> {
  for (const { storage } of accounts) yield* storage.nodes;
  yield* trie.nodes;
}

/** Whether storage that an account had was cleared. */
function isCleared({ before, after, storageRoot }: AccountChange): boolean {
  if (before === undefined || before.storageRoot === EMPTY_ROOT) return false;
  return after === undefined || storageRoot === EMPTY_ROOT;
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
