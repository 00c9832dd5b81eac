import {
  EMPTY_ROOT,
  type Hash,
  type KeyValueStore,
  type SealedHeader,
  StorageError,
} from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import {
  type ChangedParts,
  type FetchedValues,
  type OldestStates,
  type StatePoint,
  StatePruned,
} from "@plinth/core/chain";
import { keccakHash } from "@plinth/core/primitives";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { NodeCache } from "../state/node-cache.js";
import type {
  HeadMove,
  KeyedChange,
  StateCommit,
  StateLayout,
  UnneededEntry,
} from "../state/state-layout.js";
import { nodesOf, type StateUpdate } from "../state/state-root.js";
import type { StateSource } from "../state/state-source.js";
import { ChainStore } from "../store/chain-store.js";
import { readBlockChanges } from "./block-changes.js";
import { canLocate, type Place } from "./block-position.js";
import { BlockView, EMPTY_VIEW, type ViewContext } from "./block-view.js";
import { FetchedState, findOrigin, type OriginBlock, putFetched } from "./fetched-values.js";
import type { FlatSettings } from "./flat-settings.js";
import { FlatSource, type FlatView } from "./flat-source.js";
import { HistoryPruner } from "./history/history-pruner.js";
import { HistorySweeper } from "./history/history-sweeper.js";
import { firstKept, statePruned } from "./history/kept-history.js";
import { blockKey, isAccountKey, sideKey, slotKey, storagePrefix } from "./keys.js";
import { NextBlock } from "./next-block.js";
import {
  damagedEntry,
  decodeChanges,
  encodeAccountBody,
  encodeChanges,
  encodeSlotBody,
  type FlatValue,
  type ValueChange,
} from "./record.js";
import { Removals } from "./removals.js";
import { formatEntry } from "./state-format.js";
import { StateShift } from "./state-shift.js";
import { rebuildTries } from "./tries/rebuild-tries.js";
import { RecentTries } from "./tries/recent-tries.js";
import { addBranch } from "./tries/trie-overlay.js";

/** Branches of about 600 bytes each. */
const CACHED_NODES = 65_536;

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
  readonly #nodes: Table;
  readonly #removals: Removals;
  readonly #pruner: HistoryPruner;
  readonly #sweeper: HistorySweeper;
  readonly #cache = new NodeCache({ maxNodes: CACHED_NODES });
  readonly #recent: RecentTries;
  readonly #fetched: FetchedState | undefined;
  readonly addFetched: StateLayout["addFetched"];
  readonly #viewContext: ViewContext;
  /** The head as of the last commit of this thread. */
  #head: SealedHeader | undefined;
  /** Its state: most readers open that. */
  #headState: { readonly head: SealedHeader; readonly source: FlatSource } | undefined;

  constructor(settings: FlatSettings) {
    const { store, proofBlocks, isReader = false } = settings;
    this.#settings = settings;
    this.#chain = new ChainStore(store);
    this.#side = store.table(TABLES.sideChanges);
    this.#single = store.table(TABLES.chain);
    this.#nodes = store.table(TABLES.accountNodes);
    this.#removals = new Removals(this.#single, { isReader });
    const origin = findOrigin(this.#single);
    this.#fetched = origin && new FetchedState(origin, store);
    this.addFetched = origin && ((values) => commitFetched(store, values, origin));
    const keepsRemovals = origin !== undefined;
    this.#pruner = new HistoryPruner({ ...settings, keepsRemovals });
    this.#sweeper = new HistorySweeper({ ...settings, keepsRemovals });
    const { fetched, cache } = { fetched: this.#fetched, cache: this.#cache };
    this.#recent = new RecentTries(store, { cache, proofBlocks, fetched });
    this.#head = isReader ? undefined : this.#chain.findHead();
    this.#viewContext = {
      store,
      chain: this.#chain,
      head: () => this.#head,
      removals: this.#removals,
      cache: this.#cache,
      recent: this.#recent,
      proofBlocks,
    };
  }

  oldest(): OldestStates {
    const values = this.#firstReadable();
    const head = Number((this.#head ?? this.#chain.findHead())?.number ?? 0n);
    const tries = Math.max(values, head - this.#settings.proofBlocks);
    return { values: BigInt(values), tries: BigInt(tries) };
  }

  has(at: StatePoint): boolean {
    if (this.#trieRootOf(at.stateRoot) === EMPTY_ROOT) return true;
    const block = this.#resolve(at);
    if (block === undefined || Number(block.number) < this.#firstReadable()) return false;
    if (!canLocate({ ...block, stateRoot: at.stateRoot }, this.#viewContext)) return false;
    // On another thread, the head may move between two reads.
    const isHead = this.#settings.isReader !== true && block.hash === this.#chain.findHead()?.hash;
    return !isHead || this.#hasTop(at.stateRoot);
  }

  rebuildTries({ stateRoot }: SealedHeader, signal?: AbortSignal): Promise<void> {
    return rebuildTries(this.#settings.store, stateRoot, signal);
  }

  /** Whether the account trie has this root: of the head, it must be there. */
  #hasTop(root: Hash): boolean {
    const top = this.#nodes.getSync(new Uint8Array());
    return top !== undefined && keccakHash(top) === root;
  }

  verifyKept(at: StatePoint): void {
    const block = at.stateRoot === EMPTY_ROOT ? undefined : this.#resolve(at);
    const first = this.#firstReadable();
    if (block !== undefined && block.number < first)
      throw statePruned(this.#single, block.number, first);
  }

  open(at: StatePoint, getCode: (hash: Hash) => Uint8Array): StateSource {
    const root = this.#trieRootOf(at.stateRoot);
    const block = this.#resolve(at);
    if (block !== undefined && block === this.#headState?.head) return this.#headState.source;
    if (root === EMPTY_ROOT) return this.#sourceOf(root, this.#emptyView(block), getCode);
    if (block === undefined) {
      throw new StorageError("STATE_UNKNOWN", {
        message: `there is no state with the root ${root}`,
      });
    }
    const first = this.#firstReadable();
    if (block.number < first) throw statePruned(this.#single, block.number, first);
    const { number, hash } = block;
    const view = new BlockView({ number, hash, stateRoot: root }, this.#viewContext);
    const source = this.#sourceOf(root, view, getCode);
    if (block === this.#head) this.#headState = { head: this.#head, source };
    return source;
  }

  changesOf(
    block: SealedHeader,
    { slots = true }: ChangedParts = {},
  ): IterableIterator<KeyedChange> {
    if (this.#fetched !== undefined) throw unknownAtOrigin(block);
    return readBlockChanges(block, {
      ...this.#viewContext,
      viewOf: (parent) => new BlockView(parent, this.#viewContext),
      isRead: (key) => slots || isAccountKey(key),
    });
  }

  add(state: StateUpdate): void {
    for (const { hash, node } of nodesOf(state)) addBranch(this.#cache, hash, node);
  }

  findUnneeded(moved: HeadMove): Promise<readonly UnneededEntry[]> {
    return this.#sweeper.findUnneeded(moved);
  }

  *stage(
    batch: Pick<WriteBatch, "put" | "delete">,
    { executed, moved }: StateCommit,
  ): Steps<() => void> {
    if (moved === undefined) {
      if (executed !== undefined) this.#putSide(batch, executed.header, changesOf(executed.state));
      return () => {};
    }
    const { head } = moved;
    // Before the values: a key whose removal is forgotten may be among those that are written.
    this.#pruner.prune(batch, moved);
    let settle = () => {};
    if (executed !== undefined && isNext(executed.header, moved)) {
      new NextBlock(this.#settings.store, batch, Number(head.number)).write(executed.state);
    } else {
      yield* this.#shift(batch, moved, executed);
      if (moved.removed.length > 0) settle = this.#removals.announce(batch);
    }
    if (this.#head === undefined) batch.put(TABLES.chain, ...formatEntry("BONSAI"));
    return () => {
      settle();
      this.#head = head;
    };
  }

  /** Removes and applies blocks. */
  *#shift(
    batch: Pick<WriteBatch, "put" | "delete">,
    { head, removed, added }: HeadMove,
    executed: StateCommit["executed"],
  ): Steps<void> {
    const shift = new StateShift(this.#settings.store, { cache: this.#cache, sink: batch });
    if (removed.length > this.#settings.proofBlocks) throw this.#tooFar(head, removed.length);
    for (const header of removed) {
      this.#putSide(batch, header, shift.removeBlock(Number(header.number)));
      yield;
    }
    for (const header of added) {
      const isExecuted = executed?.header.hash === header.hash;
      const changes = isExecuted ? changesOf(executed.state) : this.#takeSide(batch, header);
      shift.applyBlock(Number(header.number), changes);
      yield;
    }
    yield* shift.writeValues();
    const before = this.#trieRootOf(this.#head?.stateRoot ?? EMPTY_ROOT);
    const root = yield* shift.moveTries(before);
    if (root !== this.#trieRootOf(head.stateRoot)) throw rootMismatch(head, root);
  }

  #sourceOf(root: Hash, view: FlatView, getCode: (hash: Hash) => Uint8Array): FlatSource {
    const fetched = this.#fetched;
    if (fetched === undefined) return new FlatSource(root, view, { getCode });
    const markOf = (value: FlatValue, storageRoot: Hash) => fetched.markOf(value, storageRoot);
    return new FlatSource(root, fetched.under(view), { getCode, markOf });
  }

  /** The root of the tries that are here: without those of an origin. */
  #trieRootOf(stateRoot: Hash): Hash {
    return this.#fetched?.trieRootOf(stateRoot) ?? stateRoot;
  }

  /** The view of a state without accounts; earlier ones may have had storage. */
  #emptyView(block: Omit<Place, "stateRoot"> | undefined): FlatView {
    if (block === undefined || block.number < this.#firstReadable()) return EMPTY_VIEW;
    const view = new BlockView({ ...block, stateRoot: EMPTY_ROOT }, this.#viewContext);
    return { ...EMPTY_VIEW, find: (key) => view.find(key) };
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
      `block ${number} cannot become the head: ${count} blocks would be removed, and --history-proofs-blocks keeps the changes of ${proofBlocks}. To follow this chain, synchronize it again with another --data-path, and with a larger --history-proofs-blocks or --data-storage-format=FOREST`,
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
    // Another block with this root may have cleared storage more or less often.
    const isHead = hash === undefined || hash === this.#head?.hash;
    if (isHead && this.#head?.stateRoot === stateRoot) return this.#head;
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

async function commitFetched(
  store: KeyValueStore,
  values: FetchedValues,
  origin: OriginBlock,
): Promise<void> {
  const batch = store.batch();
  putFetched(batch, values, { since: origin.number, known: store.table(TABLES.fetched) });
  await batch.commit();
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

function unknownAtOrigin({ number }: SealedHeader): StatePruned {
  return new StatePruned(
    `what block ${number} changed is not known: the state of this chain is somewhere else`,
  );
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
