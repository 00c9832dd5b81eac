import { EMPTY_ROOT, type Hash } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { StatePruned } from "@plinth/core/chain";
import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import type { NodeCache } from "../state/node-cache.js";
import { textOf } from "../state/state-values.js";
import type { TrieUpdate } from "../state/update/update-trie.js";
import { blockKey, historyKey, isAccountKey, storagePrefix } from "./keys.js";
import {
  damagedEntry,
  decodeAccountBody,
  decodeChangedKeys,
  encodeChangedKeys,
  encodeRecord,
  type FlatRecord,
  type ValueChange,
} from "./record.js";
import { leavesOf } from "./tries/leaves-of.js";
import { type NodeSink, TrieOverlay, writeNodes } from "./tries/trie-overlay.js";
import { type LeafChange, updateInSteps } from "./tries/update-in-steps.js";
import { FlatValues } from "./values.js";

/** Values that are written in one step. */
const VALUES_AT_ONCE = 256;

/**
 * The way from the state of the head to another one: blocks are removed and applied in memory, then the tries follow.
 *
 * The history and the changed keys of blocks go to a sink at once, values and nodes at the end.
 */
export class StateShift {
  readonly #values: FlatValues;
  readonly #changes: Table;
  readonly #sink: NodeSink;
  readonly #tries: TrieOverlay;
  /** Values so far, by key; `undefined` if the key has none. */
  readonly #records = new Map<string, FlatRecord | undefined>();
  /** The roots of the storage tries as the head has them, by prefix. */
  readonly #storageRoots = new Map<string, Hash>();

  constructor(
    source: { table(name: string): Table },
    on: { readonly cache: NodeCache; readonly sink: NodeSink },
  ) {
    this.#values = new FlatValues(source);
    this.#changes = source.table(TABLES.stateChanges);
    this.#sink = on.sink;
    this.#tries = new TrieOverlay(source, on.cache);
  }

  /** A value at this point of the way. */
  find(key: Uint8Array): FlatRecord | undefined {
    const text = textOf(key);
    if (this.#records.has(text)) return this.#records.get(text);
    const record = this.#values.findLatest(key);
    this.#set(key, record);
    return record;
  }

  /** Removes the latest block; returns what it had changed. */
  removeBlock(number: number): readonly ValueChange[] {
    const place = blockKey(number);
    const bytes = this.#changes.getSync(place);
    if (bytes === undefined) throw changesGone(number);
    const removed = decodeChangedKeys(bytes).map(({ key, version }): ValueChange => {
      const record = this.find(key);
      if (record?.version !== version) throw damagedEntry(TABLES.stateChanges, place, "version");
      if (version === 0) {
        this.#set(key, undefined);
      } else {
        const before = this.#values.findVersion(key, version - 1);
        if (before === undefined) throw damagedEntry(TABLES.history, historyKey(key, version - 1));
        this.#set(key, before);
        this.#sink.delete(TABLES.history, historyKey(key, version - 1));
      }
      return { key, incarnation: record.incarnation, body: record.body };
    });
    this.#sink.delete(TABLES.stateChanges, place);
    return removed;
  }

  /** Applies the changes of the next block. */
  applyBlock(number: number, changes: readonly ValueChange[]): void {
    const keys = changes.map(({ key, incarnation, body }) => {
      const before = this.find(key);
      if (before !== undefined) {
        this.#sink.put(TABLES.history, historyKey(key, before.version), encodeRecord(before));
      }
      const version = before === undefined ? 0 : before.version + 1;
      // Storage that was cleared by this block has no nodes yet.
      if (isAccountKey(key)) this.#noteStorage(key, incarnation, EMPTY_ROOT);
      this.#set(key, { since: number, version, incarnation, body });
      return { key, version };
    });
    this.#sink.put(TABLES.stateChanges, blockKey(number), encodeChangedKeys(keys));
  }

  /** Writes the values. */
  *writeValues(): Steps<void> {
    let count = 0;
    for (const [text, record] of this.#records) {
      if (++count % VALUES_AT_ONCE === 0) yield;
      const key = Buffer.from(text, "latin1");
      const table = isAccountKey(key) ? TABLES.accounts : TABLES.slots;
      if (record === undefined) this.#sink.delete(table, key);
      else this.#sink.put(table, key, encodeRecord(record));
    }
  }

  /** Brings the tries to the values, writes their nodes, and returns the root. */
  *moveTries(headRoot: Hash): Steps<Hash> {
    const find = (key: Uint8Array) => this.#records.get(textOf(key));
    const { accounts, storages } = yield* leavesOf(this.#records.keys(), find);
    for (const [prefix, slots] of storages) {
      const root = this.#storageRoots.get(textOf(prefix)) ?? EMPTY_ROOT;
      yield* this.#update(slots, root, prefix);
    }
    return yield* this.#update(accounts, headRoot);
  }

  #update(leaves: readonly LeafChange[], root: Hash, prefix?: Uint8Array): Steps<Hash> {
    const onUpdate = (update: TrieUpdate) => writeNodes(this.#sink, update, prefix);
    return updateInSteps(this.#tries, { root, leaves, prefix, onUpdate });
  }

  #set(key: Uint8Array, record: FlatRecord | undefined): void {
    this.#records.set(textOf(key), record);
    if (!isAccountKey(key)) return;
    const account = record && decodeAccountBody(record.body);
    this.#noteStorage(key, record?.incarnation ?? 0, account?.storageRoot ?? EMPTY_ROOT);
  }

  /** Notes the root of a storage that the nodes of the head are of: the first seen, which is the latest one. */
  #noteStorage(key: Uint8Array, incarnation: number, root: Hash): void {
    const prefix = textOf(storagePrefix(key, incarnation));
    if (!this.#storageRoots.has(prefix)) this.#storageRoots.set(prefix, root);
  }
}

/** The error of a block whose changed keys were removed. */
export function changesGone(number: number): StatePruned {
  return new StatePruned(
    `the changes of block ${number} are no longer kept: --history-proofs-blocks limits how many are`,
  );
}
