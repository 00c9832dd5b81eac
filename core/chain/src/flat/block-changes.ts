import { InvariantError, type KeyValueStore, type SealedHeader } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";
import { type Snapshot, TABLES } from "@plinth/core/storage";
import type { KeyedChange } from "../state/state-layout.js";
import { bytesOf } from "../state/state-values.js";
import { ChainStore } from "../store/chain-store.js";
import type { Place } from "./block-position.js";
import type { FlatView } from "./flat-source.js";
import { firstKept, statePruned } from "./history/kept-history.js";
import {
  accountOfPrefix,
  blockKey,
  historyKey,
  isAccountKey,
  prefixOfSlot,
  sideKey,
  trieKeyOfSlot,
} from "./keys.js";
import {
  damagedEntry,
  decodeAccountBody,
  decodeChangedKeys,
  decodeChanges,
  decodeSlotBody,
  type FlatValue,
} from "./record.js";
import { changesGone } from "./state-shift.js";
import { FlatValues } from "./values.js";

/** The database, and the states of blocks off the canonical chain. */
export interface ChangesSource {
  readonly store: KeyValueStore;
  readonly chain: Pick<ChainStore, "findHeader">;
  viewOf(block: Place): Pick<FlatView, "find">;
  /** Whether the value of a key is read. */
  isRead(key: Uint8Array): boolean;
}

/** A value that a block changed. */
interface Change {
  readonly key: Uint8Array;
  readonly after: FlatValue;
  /** Reads the value before the block. */
  before(): FlatValue | undefined;
}

/**
 * What a block changed, as of a snapshot: a reorganization while it is read does not matter.
 *
 * Blocks off the canonical chain are stored with their values, those of the canonical chain as keys of values.
 */
export function* readBlockChanges(
  block: SealedHeader,
  source: ChangesSource,
): Generator<KeyedChange, undefined> {
  const snapshot = source.store.snapshot();
  try {
    const isCanonical = new ChainStore(snapshot).findHash(block.number) === block.hash;
    yield* byAccount(
      isCanonical
        ? canonicalChanges(block, snapshot, source)
        : sideChanges(block, snapshot, source),
    );
  } finally {
    snapshot.close();
  }
}

function* canonicalChanges(
  { number }: SealedHeader,
  snapshot: Snapshot,
  { isRead }: Pick<ChangesSource, "isRead">,
): Generator<Change> {
  const block = Number(number);
  const bytes = snapshot.table(TABLES.stateChanges).getSync(blockKey(block));
  if (bytes === undefined) throw unknownChanges(block, snapshot);
  const values = new FlatValues(snapshot);
  const find = (key: Uint8Array, version: number): FlatValue => {
    const found = values.findVersion(key, version);
    if (found !== undefined) return found;
    throw damagedEntry(TABLES.history, historyKey(key, version));
  };
  for (const { key, version } of decodeChangedKeys(bytes)) {
    if (!isRead(key)) continue;
    const latest = values.findLatest(key);
    yield {
      key,
      after: latest?.version === version ? latest : find(key, version),
      before: () => (version === 0 ? undefined : find(key, version - 1)),
    };
  }
}

function* sideChanges(
  { number, hash, parentHash }: SealedHeader,
  snapshot: Snapshot,
  { chain, viewOf, isRead }: ChangesSource,
): Generator<Change> {
  const bytes = snapshot.table(TABLES.sideChanges).getSync(sideKey(number, hash));
  if (bytes === undefined) throw unknownChanges(Number(number), snapshot);
  const parent = chain.findHeader(parentHash);
  if (parent === undefined) throw damagedEntry(TABLES.headers, bytesOf(parentHash));
  const view = viewOf(parent);
  for (const { key, ...after } of decodeChanges(bytes)) {
    if (isRead(key)) yield { key, after, before: () => view.find(key) };
  }
}

/** Every account precedes its slots. */
function* byAccount(changes: Iterable<Change>): Generator<KeyedChange, undefined> {
  let account: Omit<KeyedChange, "slots"> | undefined;
  let slots: { readonly key: Uint8Array; readonly value: bigint }[] = [];
  for (const { key, after, before } of changes) {
    if (isAccountKey(key)) {
      if (account !== undefined) yield { ...account, slots };
      account = accountChange(key, before(), after);
      slots = [];
      continue;
    }
    const owner = accountOfPrefix(prefixOfSlot(key));
    if (account === undefined || Buffer.compare(account.key, owner) !== 0) {
      throw new InvariantError("the changes of a block have a slot without its account");
    }
    slots.push({ key: trieKeyOfSlot(key), value: decodeSlotBody(after.body) });
  }
  if (account !== undefined) yield { ...account, slots };
}

function accountChange(
  key: Uint8Array,
  before: FlatValue | undefined,
  after: FlatValue,
): Omit<KeyedChange, "slots"> {
  return {
    key,
    before: accountIn(before),
    after: accountIn(after),
    isCleared: after.incarnation !== (before?.incarnation ?? 0),
  };
}

function accountIn(value: FlatValue | undefined): StoredAccount | undefined {
  return value && decodeAccountBody(value.body);
}

function unknownChanges(block: number, snapshot: Snapshot): Error {
  const chain = snapshot.table(TABLES.chain);
  const first = firstKept(chain);
  return block < first ? statePruned(chain, block, first) : changesGone(block);
}
