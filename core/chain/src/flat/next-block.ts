import type { KeyValueStore } from "@plinth/core";
import { TABLES } from "@plinth/core/storage";
import type { AccountUpdate, StateUpdate } from "../state/state-root.js";
import type { StoredSlot } from "../state/state-source.js";
import { type FlatSlot, storedValue } from "./flat-source.js";
import { blockKey, historyKey, slotKey, storagePrefix } from "./keys.js";
import {
  encodeAccountBody,
  encodeChangedKeys,
  encodeRecord,
  encodeSlotBody,
  type FlatRecord,
  type FlatValue,
} from "./record.js";
import { type NodeSink, writeNodes } from "./tries/trie-overlay.js";
import { FlatValues } from "./values.js";

/** Writes the values and nodes of the block after the head: everything is known from its execution. */
export class NextBlock {
  readonly #sink: NodeSink;
  readonly #values: FlatValues;
  readonly #number: number;
  readonly #keys: { readonly key: Uint8Array; readonly version: number }[] = [];

  constructor(store: Pick<KeyValueStore, "table">, sink: NodeSink, number: number) {
    this.#sink = sink;
    this.#values = new FlatValues(store);
    this.#number = number;
  }

  write({ accounts, trie }: StateUpdate): void {
    for (const account of accounts) this.#writeAccount(account);
    writeNodes(this.#sink, trie);
    // Block 0 is never removed.
    if (this.#number === 0) return;
    const place = blockKey(this.#number);
    this.#sink.put(TABLES.stateChanges, place, encodeChangedKeys(this.#keys));
  }

  #writeAccount({ key, before, after, incarnation, slots, storage }: AccountUpdate): void {
    const value = { incarnation, body: encodeAccountBody(after) };
    const known = before && recordOf(storedValue(before));
    this.#replace(TABLES.accounts, key, { value, before: known ?? this.#values.findLatest(key) });
    if (slots.length === 0) return;
    const prefix = storagePrefix(key, incarnation);
    for (const slot of slots) {
      const value = { incarnation: 0, body: encodeSlotBody(slot.value) };
      const key = slotKey(prefix, slot.key);
      this.#replace(TABLES.slots, key, { value, before: this.#recordOfSlot(key, slot.before) });
    }
    writeNodes(this.#sink, storage, prefix);
  }

  /** Most slots were read before they were written. */
  #recordOfSlot(key: Uint8Array, before: StoredSlot): FlatRecord | undefined {
    if (!("stored" in before)) return this.#values.findLatest(key);
    const { stored } = before as FlatSlot;
    return stored && (recordOf(stored) ?? this.#values.findLatest(key));
  }

  #replace(
    table: string,
    key: Uint8Array,
    { value, before }: { readonly value: FlatValue; readonly before: FlatRecord | undefined },
  ): void {
    if (before !== undefined) {
      this.#sink.put(TABLES.history, historyKey(key, before.version), encodeRecord(before));
    }
    const version = before === undefined ? 0 : before.version + 1;
    const { incarnation, body } = value;
    this.#sink.put(table, key, encodeRecord({ since: this.#number, version, incarnation, body }));
    this.#keys.push({ key, version });
  }
}

/** The record of a value that was read from the canonical chain. */
function recordOf(value: FlatValue): FlatRecord | undefined {
  return "since" in value ? (value as FlatRecord) : undefined;
}
