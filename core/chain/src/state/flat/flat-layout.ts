import { EMPTY_ROOT, type Hash, type KeyValueStore, type SealedHeader, StorageError } from "@plinth/core";
import type { StatePoint } from "@plinth/core/chain";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { ChainStore } from "../../store/chain-store.js";
import { NodeCache } from "../node-cache.js";
import type { StateCommit, StateLayout } from "../state-layout.js";
import { type AccountUpdate, nodesOf, type StateUpdate } from "../state-root.js";
import type { StateSource } from "../state-source.js";
import { BlockView, EMPTY_VIEW } from "./block-view.js";
import { FlatSource } from "./flat-source.js";
import { firstKept } from "./kept-history.js";
import { blockKey, sideKey, slotKey, storagePrefix } from "./keys.js";
import {
  damagedEntry,
  decodeChanges,
  encodeAccountBody,
  encodeChanges,
  encodeSlotBody,
  type ValueChange,
} from "./record.js";
import { Removals } from "./removals.js";
import { StateShift } from "./state-shift.js";
import { writeNodes } from "./trie-overlay.js";

const CACHED_NODES = 32_768;

/** The dependencies of the flat layout. */
export interface FlatSettings {
  readonly store: KeyValueStore;
  /** Number of blocks before the head whose tries can be had. */
  readonly proofBlocks: number;
  /** Whether another thread writes the database. */
  readonly isReader?: boolean;
}

/**
 * The layout `BONSAI`: values and tries of the head, and the earlier values of every key.
 *
 * A value is read with one access at the head, and with few at any earlier block. Tries exist for the head alone; those of
 * recent blocks are made from it in memory.
 */
export class FlatLayout implements StateLayout {
  readonly #settings: FlatSettings;
  readonly #chain: ChainStore;
  readonly #side: Table;
  readonly #single: Table;
  readonly #removals: Removals;
  readonly #cache = new NodeCache({ maxNodes: CACHED_NODES });
  /** The head as of the last commit of this thread. */
  #head: SealedHeader | undefined;

  constructor(settings: FlatSettings) {
    const { store, isReader = false } = settings;
    this.#settings = settings;
    this.#chain = new ChainStore(store);
    this.#side = store.table(TABLES.sideChanges);
    this.#single = store.table(TABLES.chain);
    this.#removals = new Removals(this.#single, { isReader });
    this.#head = isReader ? undefined : this.#chain.findHead();
  }

  has(at: StatePoint): boolean {
    if (at.stateRoot === EMPTY_ROOT) return true;
    const block = this.#resolve(at);
    return block !== undefined && Number(block.number) >= firstKept(this.#single);
  }

  open(at: StatePoint, getCode: (hash: Hash) => Uint8Array): StateSource {
    const root = at.stateRoot;
    if (root === EMPTY_ROOT) return new FlatSource(root, EMPTY_VIEW, getCode);
    const block = this.#resolve(at);
    if (block === undefined) {
      throw new StorageError("STATE_UNKNOWN", {
        message: `there is no state with the root ${root}`,
      });
    }
    const { store, proofBlocks } = this.#settings;
    const view = new BlockView(
      { ...block, stateRoot: root },
      { store, chain: this.#chain, removals: this.#removals, cache: this.#cache, proofBlocks },
    );
    return new FlatSource(root, view, getCode);
  }

  add(state: StateUpdate): void {
    for (const { hash, node } of nodesOf(state)) this.#cache.add(hash, node);
  }

  stage(batch: Pick<WriteBatch, "put" | "delete">, { executed, moved }: StateCommit): () => void {
    if (moved === undefined) {
      if (executed !== undefined) this.#putSide(batch, executed.header, changesOf(executed.state));
      return () => {};
    }
    const { head, removed, added } = moved;
    const shift = new StateShift(this.#settings.store, { cache: this.#cache, sink: batch });
    for (const header of removed) {
      this.#putSide(batch, header, shift.removeBlock(Number(header.number)));
    }
    const isNext = removed.length === 0 && added.length === 1;
    for (const header of added) {
      const isExecuted = executed?.header.hash === header.hash;
      const changes = isExecuted ? changesOf(executed.state) : this.#takeSide(batch, header);
      shift.applyBlock(Number(header.number), changes);
    }
    shift.writeValues();
    if (isNext && executed !== undefined) {
      writeUpdate(batch, executed.state);
    } else {
      const root = shift.moveTries(this.#head?.stateRoot ?? EMPTY_ROOT);
      if (root !== head.stateRoot) throw rootMismatch(head, root);
    }
    if (removed.length > 0) this.#removals.announce(batch);
    return () => {
      this.#head = head;
    };
  }

  #putSide(
    batch: Pick<WriteBatch, "put">,
    { number, hash }: SealedHeader,
    changes: readonly ValueChange[],
  ): void {
    batch.put(TABLES.sideChanges, sideKey(number, hash), encodeChanges(changes));
  }

  #takeSide(
    batch: Pick<WriteBatch, "delete">,
    { number, hash }: SealedHeader,
  ): readonly ValueChange[] {
    const key = sideKey(number, hash);
    const bytes = this.#side.getSync(key);
    if (bytes === undefined) throw damagedEntry(TABLES.sideChanges, key);
    batch.delete(TABLES.sideChanges, key);
    return decodeChanges(bytes);
  }

  /** The block whose state has a root. */
  #resolve(at: StatePoint): Pick<SealedHeader, "number" | "hash"> | undefined {
    const { stateRoot, number, hash, parentHash } = at;
    if (this.#head?.stateRoot === stateRoot) return this.#head;
    const canonical = number === undefined ? undefined : this.#chain.findHash(number);
    if (number !== undefined && hash !== undefined && canonical === hash) return { number, hash };
    for (const candidate of [hash, canonical, parentHash]) {
      const header = candidate && this.#chain.findHeader(candidate);
      if (header && header.stateRoot === stateRoot) return header;
    }
    const head = this.#chain.findHead();
    return head?.stateRoot === stateRoot ? head : undefined;
  }
}

/** The changes of values of an update. */
function changesOf({ accounts }: StateUpdate): readonly ValueChange[] {
  return accounts.flatMap(({ key, after, incarnation, slots }) => {
    const prefix = storagePrefix(key, incarnation);
    return [
      { key, incarnation, body: encodeAccountBody(after) },
      ...slots.map(({ key: slot, value }) => ({
        key: slotKey(prefix, slot),
        incarnation: 0,
        body: encodeSlotBody(value),
      })),
    ];
  });
}

function writeUpdate(batch: Pick<WriteBatch, "put" | "delete">, update: StateUpdate): void {
  for (const account of update.accounts) {
    writeNodes(batch, account.storage, prefixOf(account));
  }
  writeNodes(batch, update.trie);
}

function prefixOf({ key, incarnation }: AccountUpdate): Uint8Array {
  return storagePrefix(key, incarnation);
}

function rootMismatch({ number, stateRoot }: SealedHeader, root: Hash): StorageError {
  return new StorageError("STORAGE_DAMAGED", {
    message: `the database is damaged: the state of block ${number} has the root ${root} instead of ${stateRoot}`,
    table: TABLES.stateChanges,
    key: blockKey(Number(number)),
  });
}
