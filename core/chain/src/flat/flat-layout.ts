import { EMPTY_ROOT, type Hash, type SealedHeader, StorageError } from "@plinth/core";
import { type StatePoint, StatePruned } from "@plinth/core/chain";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { NodeCache } from "../state/node-cache.js";
import type { HeadMove, StateCommit, StateLayout } from "../state/state-layout.js";
import { nodesOf, type StateUpdate } from "../state/state-root.js";
import type { StateSource } from "../state/state-source.js";
import { ChainStore } from "../store/chain-store.js";
import { BlockView, EMPTY_VIEW } from "./block-view.js";
import type { FlatSettings } from "./flat-settings.js";
import { FlatSource } from "./flat-source.js";
import { HistoryPruner } from "./history-pruner.js";
import { firstKept, statePruned } from "./kept-history.js";
import { blockKey, sideKey, slotKey, storagePrefix } from "./keys.js";
import { NextBlock } from "./next-block.js";
import {
  damagedEntry,
  decodeChanges,
  encodeAccountBody,
  encodeChanges,
  encodeSlotBody,
  type ValueChange,
} from "./record.js";
import { Removals } from "./removals.js";
import { formatEntry } from "./state-format.js";
import { StateShift } from "./state-shift.js";

const CACHED_NODES = 32_768;

/**
 * The layout `BONSAI`: values and tries of the head, and the earlier values of every key.
 *
 * A value is read with one access at the head, and with few at any earlier block. Tries exist for the head alone; those of
 * recent blocks are made from it in memory.
 */
export class FlatLayout implements StateLayout {
  readonly canRestore = false;
  readonly #settings: FlatSettings;
  readonly #chain: ChainStore;
  readonly #side: Table;
  readonly #single: Table;
  readonly #removals: Removals;
  readonly #pruner: HistoryPruner;
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
    this.#pruner = new HistoryPruner(settings);
    this.#head = isReader ? undefined : this.#chain.findHead();
  }

  has(at: StatePoint): boolean {
    if (at.stateRoot === EMPTY_ROOT) return true;
    const block = this.#resolve(at);
    return block !== undefined && Number(block.number) >= this.#firstReadable();
  }

  verifyKept(at: StatePoint): void {
    const block = at.stateRoot === EMPTY_ROOT ? undefined : this.#resolve(at);
    const first = this.#firstReadable();
    if (block !== undefined && block.number < first) throw statePruned(block.number, first);
  }

  open(at: StatePoint, getCode: (hash: Hash) => Uint8Array): StateSource {
    const root = at.stateRoot;
    // A block whose accounts were all deleted is not one before the first account: incarnations go on.
    const block = this.#resolve(at);
    if (block === undefined && root === EMPTY_ROOT) {
      return new FlatSource(root, EMPTY_VIEW, getCode);
    }
    if (block === undefined) {
      throw new StorageError("STATE_UNKNOWN", {
        message: `there is no state with the root ${root}`,
      });
    }
    const first = this.#firstReadable();
    if (block.number < first) throw statePruned(block.number, first);
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
    const { head } = moved;
    if (executed !== undefined && isNext(executed.header, moved)) {
      new NextBlock(this.#settings.store, batch, Number(head.number)).write(executed.state);
    } else {
      this.#shift(batch, moved, executed);
    }
    if (this.#head === undefined) batch.put(TABLES.chain, ...formatEntry("BONSAI"));
    this.#pruner.prune(batch, Number(head.number));
    return () => {
      this.#head = head;
    };
  }

  /** Removes and applies blocks. */
  #shift(
    batch: Pick<WriteBatch, "put" | "delete">,
    { head, removed, added }: HeadMove,
    executed: StateCommit["executed"],
  ): void {
    const shift = new StateShift(this.#settings.store, { cache: this.#cache, sink: batch });
    if (removed.length > this.#settings.proofBlocks) throw this.#tooFar(head, removed.length);
    for (const header of removed) {
      this.#putSide(batch, header, shift.removeBlock(Number(header.number)));
    }
    for (const header of added) {
      const isExecuted = executed?.header.hash === header.hash;
      const changes = isExecuted ? changesOf(executed.state) : this.#takeSide(batch, header);
      shift.applyBlock(Number(header.number), changes);
    }
    shift.writeValues();
    const root = shift.moveTries(this.#head?.stateRoot ?? EMPTY_ROOT);
    if (root !== head.stateRoot) throw rootMismatch(head, root);
    if (removed.length > 0) this.#removals.announce(batch);
  }

  /** The earliest block whose state may be read. */
  #firstReadable(): number {
    const { history } = this.#settings;
    const kept = firstKept(this.#single);
    const head = this.#head ?? this.#chain.findHead();
    return history === undefined || head === undefined
      ? kept
      : Math.max(kept, Number(head.number) - history);
  }

  #tooFar({ number }: SealedHeader, count: number): StatePruned {
    const { proofBlocks } = this.#settings;
    return new StatePruned(
      `block ${number} cannot become the head: ${count} blocks would be removed, and --history-proofs-blocks keeps the changes of ${proofBlocks}`,
    );
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

function isNext({ hash }: SealedHeader, { removed, added }: HeadMove): boolean {
  return removed.length === 0 && added.length === 1 && added[0]?.hash === hash;
}

function rootMismatch({ number, stateRoot }: SealedHeader, root: Hash): StorageError {
  return new StorageError("STORAGE_DAMAGED", {
    message: `the database is damaged: the state of block ${number} has the root ${root} instead of ${stateRoot}`,
    table: TABLES.stateChanges,
    key: blockKey(Number(number)),
  });
}
