import {
  type BlockReader,
  type Clock,
  type Logger,
  messageOf,
  type SealedBlock,
  type SealedHeader,
  Yielder,
} from "@plinth/core";
import { Signal } from "@plinth/core/async";
import type { EnclaveClient } from "@plinth/kit-enclave";
import type { PendingEntry, PrivateStore } from "../store/private-store.js";
import { type Cursor, pendingKey } from "../store/records.js";
import { isRunAgain, type Rerun, withGroups } from "../store/rerun.js";
import type { MarkedTransaction } from "./fetch-marked.js";
import type { MarkerForm } from "./marker-form.js";
import { type FoundInBlock, type PlacedTransaction, searchBlock } from "./search-block.js";
import type { UnresolvedMarker } from "./unresolved.js";

const RETRY_MS = 1000;
/** Interval, in blocks, at which progress is recorded when there are no markers. */
const BLOCKS_PER_NOTE = 1000n;

/** A block that is waiting for the manager, and why. */
export interface WaitingForManager {
  readonly since: number;
  readonly block: bigint;
  readonly reason: string;
}

/** Dependencies of delivery. */
export interface DeliverySettings {
  readonly blocks: Pick<BlockReader, "head" | "findHeader" | "findBlock">;
  readonly store: PrivateStore;
  readonly enclave: () => EnclaveClient;
  readonly form: MarkerForm;
  /** Maximum bytes of payloads held in memory. */
  readonly partBytes: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called with private transactions that are ready to execute. */
  readonly delivered: (entries: readonly PendingEntry[]) => void;
  /** Called when a block was searched, or is waiting for the manager. */
  readonly moved: () => void;
  /**
   * Drops the pending entries of a block and of later ones; resolves once none of them is
   * executing.
   */
  readonly forget: (from: bigint) => Promise<void>;
  /**
   * Whether to record markers without a local payload, because other managers can be asked about
   * them.
   */
  readonly notesAbsent: () => boolean;
}

/** What to re-execute: everything after a block, for some groups or for all. */
export interface RerunOrder {
  readonly after: bigint;
  /** All groups by default. */
  readonly groups?: readonly Uint8Array[];
}

/**
 * Follows the canonical chain, and fetches the private transactions that its markers name.
 *
 * Blocks are processed in order: fetched transactions are persisted with their block number, so a node that was
 * killed resumes where it stopped. Only delivery waits for an unreachable manager.
 *
 * Blocks can be searched again to re-execute groups. If that finds an additional private transaction, its group is
 * re-executed from there on, because the outcome of everything after it may change.
 */
export class Delivery {
  readonly #settings: DeliverySettings;
  #cursor: Cursor;
  #rerun: Rerun | undefined;
  #waiting: WaitingForManager | undefined;
  readonly #moved = new Signal();
  readonly #dropped: Uint8Array[] = [];
  /** The block being searched, and whether it has left the chain meanwhile. */
  #underWay: { readonly header: SealedHeader; hasLeft: boolean } | undefined;
  readonly #orders: { readonly order: RerunOrder; readonly done: () => void }[] = [];

  constructor(settings: DeliverySettings) {
    this.#settings = settings;
    const genesis = settings.blocks.findHeader(0n);
    if (genesis === undefined) throw new Error("the genesis block is missing");
    this.#cursor = settings.store.findCursor() ?? { number: 0n, hash: genesis.hash };
    this.#rerun = settings.store.findRerun();
  }

  /** Last block of the current chain whose private transactions were fetched. */
  get passed(): bigint {
    return this.#onChain().number;
  }

  /** Same for one group: groups that are not re-executed need not wait for the others. */
  passedFor(group: Uint8Array): bigint {
    const { passed } = this;
    const rerun = this.#rerun;
    // If none is named, the group that lacks something is not known yet.
    if (rerun === undefined || rerun.isOfAll || rerun.groups.length === 0) return passed;
    const { number, hash } = rerun.until;
    if (number <= passed || isRunAgain(rerun, group, number)) return passed;
    return this.#settings.blocks.findHeader(number)?.hash === hash ? number : passed;
  }

  /** The blocks being searched again; `undefined` if none. */
  get rerun(): Rerun | undefined {
    return this.#rerun;
  }

  /**
   * Schedules a repeated search; resolves once it has started and is recorded, so that it survives
   * a restart.
   */
  async runAgain(order: RerunOrder): Promise<void> {
    await new Promise<void>((done) => {
      this.#orders.push({ order, done });
      this.#moved.notify();
    });
  }

  /**
   * Drops private transactions because their block left the chain or is searched again.
   *
   * They stay on disk until the removal is recorded: a node killed before that resumes them.
   */
  dropped(entries: readonly PendingEntry[]): void {
    for (const { key } of entries) this.#dropped.push(key);
  }

  get waiting(): WaitingForManager | undefined {
    return this.#waiting;
  }

  /**
   * Rewinds at once if a block has left the chain: it may be back before the next one is searched.
   */
  headMoved(): void {
    this.#onChain();
    const { blocks } = this.#settings;
    const searched = this.#underWay;
    if (searched !== undefined) {
      const { number, hash } = searched.header;
      searched.hasLeft ||= blocks.findHeader(number)?.hash !== hash;
    }
    this.#moved.notify();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const moved = this.#moved.nextWithin({ signal });
      await this.#catchUp(signal);
      if (this.#next() === undefined && this.#orders.length === 0) await moved;
    }
  }

  async #catchUp(signal: AbortSignal): Promise<void> {
    const yielder = new Yielder();
    await this.#goBack();
    for (let next = this.#next(); next !== undefined && !signal.aborted; next = this.#next()) {
      const isDone = await this.#attempt(next);
      if (!isDone) await this.#pause(signal);
      await this.#goBack();
      await yielder.yield();
    }
  }

  /** Rewinds to the first block to search again. */
  async #goBack(): Promise<void> {
    const orders = this.#orders.splice(0);
    if (orders.length === 0) return;
    const { blocks, store, forget } = this.#settings;
    const passed = this.#onChain();
    const last = orders.map(({ order }) => order.after).reduce((a, b) => (a < b ? a : b));
    const header = blocks.findHeader(last < passed.number ? last : passed.number);
    if (header === undefined) throw new Error(`block ${last} is missing`);
    let rerun: Rerun = {
      until: this.#rerun?.until ?? passed,
      isOfAll: this.#rerun?.isOfAll ?? false,
      groups: this.#rerun?.groups ?? [],
    };
    for (const { after, groups } of orders.map(({ order }) => order)) {
      if (groups === undefined) rerun = { ...rerun, isOfAll: true };
      else rerun = withGroups(rerun, groups, after + 1n);
    }
    const cursor = { number: header.number, hash: header.hash };
    // From now on nothing reads the deleted entries.
    this.#cursor = cursor;
    this.#rerun = rerun;
    await forget(cursor.number + 1n);
    await store.goBack(cursor, rerun);
    for (const { done } of orders) done();
  }

  async #pause(signal: AbortSignal): Promise<void> {
    try {
      await this.#settings.clock.sleep(RETRY_MS, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #next(): SealedBlock | undefined {
    const { blocks } = this.#settings;
    const { number } = this.#onChain();
    return number < blocks.head().number ? blocks.findBlock(number + 1n) : undefined;
  }

  async #attempt(block: SealedBlock): Promise<boolean> {
    const { clock, log, moved } = this.#settings;
    try {
      await this.#deliver(block);
      this.#waiting = undefined;
      return true;
    } catch (error) {
      const reason = messageOf(error);
      if (this.#waiting === undefined) {
        log.warn(`Private transactions of block ${block.header.number} are waiting: ${reason}`);
      }
      const { number } = block.header;
      this.#waiting = { since: this.#waiting?.since ?? clock.now(), block: number, reason };
      return false;
    } finally {
      moved();
    }
  }

  async #deliver(block: SealedBlock): Promise<void> {
    const { store, enclave, form, partBytes, delivered, forget } = this.#settings;
    const { header } = block;
    const { number, hash } = header;
    const underWay = { header, hasLeft: false };
    this.#underWay = underWay;
    // It may have been on the chain before, and be about to run.
    await forget(number);
    const until = this.#rerun?.until.number ?? 0n;
    const inForce = number <= until ? this.#rerun : undefined;
    const kept: PendingEntry[] = [];
    const keep = async (items: readonly MarkedTransaction[]) => {
      for (const item of items) kept.push(entryOf(item, header));
      await this.#writeDropped((dropped) => store.keepItems(itemsOf(items, header), dropped));
    };
    const search = { store, enclave: enclave(), form, partBytes, rerun: inForce, keep };
    const found = await searchBlock(block, search).catch((error) => {
      this.dropped(kept);
      throw error;
    });
    if (underWay.hasLeft) {
      this.dropped(kept);
      return;
    }
    const rerun = number < until ? found.rerun : undefined;
    const items = itemsOf(found.rest, header);
    const unresolved = this.#noted(found, header);
    // Markers of a block that was off the chain meanwhile are reported again.
    const again = inForce === undefined ? [] : found.outdated;
    const before = new Map(again.map(({ marker, receipt }) => [marker, receipt]));
    const entries = found.found.map((item) => ({
      ...entryOf(item, header),
      before: before.get(item.marker),
    }));
    const noted = items.length + unresolved.length + found.outdated.length;
    const changes = noted + this.#dropped.length;
    const cursor = { number, hash };
    if (changes > 0 || rerun !== this.#rerun || number % BLOCKS_PER_NOTE === 0n) {
      const { outdated, late } = found;
      await this.#writeDropped((dropped) =>
        store.keep({ cursor, items, dropped, unresolved, outdated, late, rerun }),
      );
    }
    if (underWay.hasLeft) {
      // If it is back on the chain by now, it is searched again.
      this.dropped(entries);
      return;
    }
    this.#cursor = cursor;
    this.#rerun = rerun;
    delivered(entries);
  }

  /** Writes a batch together with the removal of dropped entries. */
  async #writeDropped(write: (dropped: readonly Uint8Array[]) => Promise<void>): Promise<void> {
    const dropped = [...this.#dropped];
    await write(dropped);
    this.#dropped.splice(0, dropped.length);
  }

  /** Records for markers that were not executed. */
  #noted(
    { unresolved }: FoundInBlock,
    { number, hash: blockHash }: SealedHeader,
  ): readonly UnresolvedMarker[] {
    const notesAbsent = this.#settings.notesAbsent();
    return unresolved
      .filter(({ unknownGroup }) => notesAbsent || unknownGroup !== undefined)
      .map(({ hash: marker, ...rest }) => ({ ...rest, number, blockHash, marker, isLost: false }));
  }

  /** Last searched block that is still on the chain; truncates the earlier search to it. */
  #onChain(): Cursor {
    const { blocks } = this.#settings;
    const back = (cursor: Cursor): Cursor => {
      let at = cursor;
      while (blocks.findHeader(at.number)?.hash !== at.hash) {
        const number = at.number - 1n;
        const hash = blocks.findHeader(at.hash)?.parentHash ?? blocks.findHeader(number)?.hash;
        if (hash === undefined) throw new Error(`block ${number} is missing`);
        at = { number, hash };
      }
      return at;
    };
    this.#cursor = back(this.#cursor);
    if (this.#rerun !== undefined) {
      const until = back(this.#rerun.until);
      if (until.number <= this.#cursor.number) this.#rerun = undefined;
      else if (until !== this.#rerun.until) this.#rerun = { ...this.#rerun, until };
    }
    return this.#cursor;
  }
}

function placeOf(group: Uint8Array, { number, hash }: SealedHeader) {
  return { group, number, blockHash: hash };
}

function entryOf({ group, index }: PlacedTransaction, header: SealedHeader): PendingEntry {
  const place = placeOf(group, header);
  return { ...place, index, key: pendingKey(place, index) };
}

function itemsOf(found: readonly MarkedTransaction[], header: SealedHeader) {
  return found.map((item) => ({ ...item, place: placeOf(item.group, header) }));
}
