import type { BlockReader, Hash, PluginTable } from "@plinth/core";
import type { TableChange } from "@plinth/core/storage";
import { encodeUnresolved, type UnresolvedMarker, unresolvedKey } from "../markers/unresolved.js";
import {
  blockKey,
  type Cursor,
  decodeCursor,
  decodeGroupBlock,
  decodeGroupRoot,
  decodePendingItem,
  decodePrivateReceipt,
  encodeCursor,
  encodeGroupBlock,
  encodePendingItem,
  encodePrivateReceipt,
  type GroupBlock,
  type GroupPlace,
  type PendingTransaction,
  type PrivateReceipt,
  pastReceiptKey,
  pendingKey,
  placeKey,
  readPendingKey,
  readPlaceKey,
  receiptKey,
  type StoredItem,
} from "./records.js";
import { decodeRerun, encodeRerun, type Rerun } from "./rerun.js";

/** The root of an empty state. */
export const EMPTY_STATE_ROOT: Hash =
  "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/** Tables of private transactions, by the hash of the block with the marker. */
export interface PrivateTables {
  /** The private states: nodes, code and preimages by hash. */
  readonly state: PluginTable;
  readonly receipts: PluginTable;
  /** The effects of blocks on groups. */
  readonly groups: PluginTable;
  /** Private transactions that were fetched and not yet executed. */
  readonly pending: PluginTable;
  /** Progress of the search for markers. */
  readonly progress: PluginTable;
  /** Markers whose private transactions were not executed, although they may be for this node. */
  readonly unresolved: PluginTable;
  /** The keys of the histories that this node received, by flexible group. */
  readonly histories: PluginTable;
}

/** A pending transaction with its key and position. */
export type PendingEntry = GroupPlace & {
  readonly index: number;
  readonly key: Uint8Array;
  /** Its result when it ran before; not persisted. */
  readonly before?: PrivateReceipt | undefined;
};

/** A receipt that is recomputed. */
export interface OutdatedReceipt {
  readonly marker: Hash;
  readonly receipt: PrivateReceipt;
}

/** A pending transaction with its position. */
export type PlacedItem = StoredItem & { readonly place: GroupPlace; readonly index: number };

/** Result of searching a block for markers. */
export interface SearchedBlock {
  readonly cursor: Cursor;
  readonly items: readonly PlacedItem[];
  /** The keys of pending transactions to drop. */
  readonly dropped: readonly Uint8Array[];
  readonly unresolved: readonly UnresolvedMarker[];
  readonly outdated: readonly OutdatedReceipt[];
  /** Groups that are re-executed from this block on. */
  readonly late: readonly Uint8Array[];
  /** What remains to search again. */
  readonly rerun: Rerun | undefined;
}

/** Result of executing a block of a group. */
export interface FinishedBlock {
  readonly place: GroupPlace;
  readonly entries: Iterable<TableChange>;
  readonly receipts: readonly { readonly marker: Hash; readonly receipt: PrivateReceipt }[];
  /** The effect on the group; `undefined` if nothing changed it. */
  readonly groupBlock: GroupBlock | undefined;
  readonly done: readonly Uint8Array[];
  /** A history that a new member of a flexible group has imported. */
  readonly past?: TakenHistory | undefined;
}

/** Transactions that members of a flexible group executed before this node was one of them. */
export interface TakenHistory {
  /** Key of the history at the manager. */
  readonly key: Uint8Array;
  readonly blocks: readonly PastBlock[];
}

/** A block of it. */
export interface PastBlock {
  readonly place: GroupPlace;
  /**
   * The effect on the group; `undefined` if nothing changed it, although this node had executed
   * something.
   */
  readonly groupBlock: GroupBlock | undefined;
  readonly receipts: FinishedBlock["receipts"];
}

const CURSOR_KEY = new Uint8Array([0]);
const RERUN_KEY = new Uint8Array([1]);
const LAST_NUMBER = 2n ** 64n - 1n;

/** Reads and writes the records of private transactions; related records are written atomically. */
export class PrivateStore {
  readonly #tables: PrivateTables;
  readonly #blocks: Pick<BlockReader, "findHeader">;
  readonly #isFlexible: boolean;

  constructor(
    tables: PrivateTables,
    blocks: Pick<BlockReader, "findHeader">,
    { isFlexible = false } = {},
  ) {
    this.#tables = tables;
    this.#blocks = blocks;
    this.#isFlexible = isFlexible;
  }

  findCursor(): Cursor | undefined {
    const bytes = this.#tables.progress.getSync(CURSOR_KEY);
    return bytes && decodeCursor(bytes);
  }

  findRerun(): Rerun | undefined {
    const bytes = this.#tables.progress.getSync(RERUN_KEY);
    return bytes && decodeRerun(bytes);
  }

  /**
   * Stores a partial search result of a block; the block is searched again unless `keep` follows.
   */
  async keepItems(items: readonly PlacedItem[], dropped: readonly Uint8Array[]): Promise<void> {
    await this.#tables.progress.writeWith(this.#pendingOf(items, dropped));
  }

  #pendingOf(items: readonly PlacedItem[], dropped: readonly Uint8Array[]) {
    const { pending } = this.#tables;
    const deleted = dropped.map((key) => [key, undefined] as const);
    const kept = items.map(
      (item) => [pendingKey(item.place, item.index), encodePendingItem(item)] as const,
    );
    return [[pending, deleted] as const, [pending, kept] as const];
  }

  /** Stores the search result of a block, and marks it as searched. */
  async keep(block: SearchedBlock): Promise<void> {
    const { cursor, items, dropped, unresolved, outdated, late, rerun } = block;
    const tables = this.#tables;
    const { number, hash: blockHash } = cursor;
    const removed = await Promise.all(late.map((group) => this.#keysFrom(group, number)));
    const ran = outdated.map(({ receipt }) =>
      placeKey({ group: receipt.group, number, blockHash }),
    );
    await tables.progress.writeWith([
      [tables.progress, progressOf(cursor, rerun)],
      ...this.#pendingOf(items, dropped),
      [
        tables.unresolved,
        unresolved.map((entry) => [unresolvedKey(entry), encodeUnresolved(entry)]),
      ],
      [tables.receipts, outdated.map(({ marker }) => [receiptKey(blockHash, marker), undefined])],
      [tables.groups, [...removed.flat(), ...ran].map((key) => [key, undefined])],
    ]);
  }

  /**
   * Rewinds to a block, after which all blocks are searched again; deletes the later records of
   * some groups.
   */
  async goBack(cursor: Cursor, rerun: Rerun): Promise<void> {
    const tables = this.#tables;
    const next = cursor.number + 1n;
    const groups = rerun.isOfAll
      ? (await this.groups()).map((group) => ({ group, from: next }))
      : rerun.groups;
    const pending: Uint8Array[] = [];
    for await (const entry of this.pending()) if (entry.number >= next) pending.push(entry.key);
    const unresolved: Uint8Array[] = [];
    const later = { from: unresolvedKey({ number: next, index: 0 }) };
    for await (const [key] of tables.unresolved.iterate(later)) unresolved.push(key);
    // Records of a group before its re-executed part stay.
    const removed = await Promise.all(
      groups.map(({ group, from }) => this.#keysFrom(group, from > next ? from : next)),
    );
    const deleted = (keys: readonly Uint8Array[]) => keys.map((key) => [key, undefined] as const);
    await tables.progress.writeWith([
      [tables.progress, progressOf(cursor, rerun)],
      [tables.pending, deleted(pending)],
      [tables.unresolved, deleted(unresolved)],
      [tables.groups, deleted(removed.flat())],
    ]);
  }

  /**
   * Every group of the active kind that a block has changed; others may exist from before the kind
   * was switched.
   */
  async groups(): Promise<readonly Uint8Array[]> {
    const found: Uint8Array[] = [];
    for (let next = await this.#firstGroup(new Uint8Array()); next !== undefined; ) {
      const { group, isFlexible } = next;
      if (isFlexible === this.#isFlexible) found.push(group);
      next = await this.#firstGroup(blockKey(group, LAST_NUMBER));
    }
    return found;
  }

  /** The marker of a private transaction that a group has executed on the canonical chain. */
  async findMarker(group: Uint8Array): Promise<Hash | undefined> {
    for await (const { markers } of this.groupBlocks(group, { from: 0n, to: LAST_NUMBER - 1n })) {
      const [first] = markers;
      if (first !== undefined) return first;
    }
    return undefined;
  }

  /** The group of the first entry after a key. */
  async #firstGroup(
    from: Uint8Array,
  ): Promise<{ readonly group: Uint8Array; readonly isFlexible: boolean } | undefined> {
    for await (const [key, value] of this.#tables.groups.iterate({ from, limit: 1 })) {
      const { group } = readPlaceKey(key);
      return { group, isFlexible: decodeGroupBlock(value).roots !== undefined };
    }
    return undefined;
  }

  async #keysFrom(group: Uint8Array, number: bigint): Promise<readonly Uint8Array[]> {
    const range = { from: blockKey(group, number), to: blockKey(group, LAST_NUMBER) };
    const keys: Uint8Array[] = [];
    for await (const [key] of this.#tables.groups.iterate(range)) keys.push(key);
    return keys;
  }

  /** All pending transactions, by group and in order. */
  async *pending(): AsyncGenerator<PendingEntry> {
    for await (const [key] of this.#tables.pending.iterate()) {
      yield { ...readPendingKey(key), key };
    }
  }

  /**
   * The pending transactions of one block, in parts whose payloads do not exceed a size, unless a part has a single payload.
   *
   * Within a part, transactions with the same payload share its object.
   */
  *getPending(
    entries: readonly PendingEntry[],
    maxBytes: number,
  ): Generator<readonly PendingTransaction[]> {
    let part: PendingTransaction[] = [];
    let payloads = new Map<number, Uint8Array>();
    let bytes = 0;
    for (const { index, ...place } of entries) {
      const { marker, payload, history } = this.#getStored(pendingKey(place, index));
      const at = typeof payload === "number" ? payload : index;
      const found = payloads.get(at) ?? this.#getPayload(payload, place);
      const added = payloads.has(at) ? 0 : found.length;
      if (part.length > 0 && bytes + added > maxBytes) {
        yield part;
        [part, payloads, bytes] = [[], new Map(), 0];
      }
      bytes += payloads.has(at) ? 0 : found.length;
      payloads.set(at, found);
      part.push({ marker, index, payload: found, historyKey: history?.key });
    }
    if (part.length > 0) yield part;
  }

  /** The history that a transaction carries. */
  getHistory({ index, ...place }: Pick<PendingEntry, keyof GroupPlace | "index">): Uint8Array {
    const { history } = this.#getStored(pendingKey(place, index));
    if (history?.payload instanceof Uint8Array) return history.payload;
    const first = history && this.#getStored(pendingKey(place, history.payload)).history;
    if (first?.payload instanceof Uint8Array) return first.payload;
    throw new Error(`the history that marker ${index} of a block names is missing`);
  }

  /** The marker of a pending transaction. */
  findPendingMarker(key: Uint8Array): Hash | undefined {
    const bytes = this.#tables.pending.getSync(key);
    return bytes && decodePendingItem(bytes).marker;
  }

  #getPayload(kept: Uint8Array | number, place: GroupPlace): Uint8Array {
    if (kept instanceof Uint8Array) return kept;
    const { payload } = this.#getStored(pendingKey(place, kept));
    if (payload instanceof Uint8Array) return payload;
    throw new Error(`the payload of the private transaction ${kept} of a block is missing`);
  }

  #getStored(key: Uint8Array): StoredItem {
    const bytes = this.#tables.pending.getSync(key);
    if (bytes === undefined) throw new Error("a pending private transaction is missing");
    return decodePendingItem(bytes);
  }

  /** Stores the effect of a block on a group atomically. */
  async finish({ place, entries, receipts, groupBlock, done, past }: FinishedBlock): Promise<void> {
    const tables = this.#tables;
    const { blocks = [] } = past ?? {};
    const { group, blockHash } = place;
    // A history may have claimed otherwise.
    const claimed = receipts
      .map(({ marker }) => pastReceiptKey(blockHash, marker, group))
      .filter((key) => tables.receipts.getSync(key) !== undefined);
    await tables.state.writeWith([
      [tables.state, entries],
      [tables.receipts, claimed.map((key) => [key, undefined])],
      [
        tables.receipts,
        receipts.map(({ marker, receipt }) => [
          receiptKey(blockHash, marker),
          encodePrivateReceipt(receipt),
        ]),
      ],
      [
        tables.receipts,
        blocks.flatMap((block) =>
          block.receipts.map(
            ({ marker, receipt }) =>
              [
                pastReceiptKey(block.place.blockHash, marker, group),
                encodePrivateReceipt(receipt),
              ] as const,
          ),
        ),
      ],
      [
        tables.groups,
        blocks.map(({ place, groupBlock }) => [
          placeKey(place),
          groupBlock && encodeGroupBlock(groupBlock),
        ]),
      ],
      [tables.histories, past === undefined ? [] : [[group, past.key]]],
      [
        tables.groups,
        // It may have changed the group when it ran before.
        [[placeKey(place), groupBlock && encodeGroupBlock(groupBlock)]],
      ],
      [tables.pending, done.map((key) => [key, undefined])],
    ]);
  }

  /** Stores parts of private states that are not referenced yet. */
  async keepState(entries: Iterable<TableChange>): Promise<void> {
    await this.#tables.state.write([...entries]);
  }

  /**
   * The key at the manager of the history that this node received when it was added to a flexible
   * group.
   */
  findHistoryKey(group: Uint8Array): Uint8Array | undefined {
    return this.#tables.histories.getSync(group);
  }

  /**
   * The receipt of a private transaction in a group; by default the group of the payload that this
   * node has executed.
   */
  findReceipt(blockHash: Hash, marker: Hash, group?: Uint8Array): PrivateReceipt | undefined {
    const own = this.#findReceipt(receiptKey(blockHash, marker));
    const asked = group ?? own?.group;
    const past = asked && this.#findReceipt(pastReceiptKey(blockHash, marker, asked));
    return past ?? own;
  }

  #findReceipt(key: Uint8Array): PrivateReceipt | undefined {
    const bytes = this.#tables.receipts.getSync(key);
    return bytes && decodePrivateReceipt(bytes);
  }

  findGroupBlock(place: GroupPlace): GroupBlock | undefined {
    const bytes = this.#tables.groups.getSync(placeKey(place));
    return bytes && decodeGroupBlock(bytes);
  }

  /** State root of a group after a block of the canonical chain. */
  async rootAt(group: Uint8Array, number: bigint): Promise<Hash> {
    return (await this.findLastChange(group, number))?.root ?? EMPTY_STATE_ROOT;
  }

  /** The last block of the canonical chain up to a number that changed a group. */
  async findLastChange(
    group: Uint8Array,
    number: bigint,
  ): Promise<
    { readonly number: bigint; readonly blockHash: Hash; readonly root: Hash } | undefined
  > {
    const range = { from: blockKey(group, 0n), to: blockKey(group, number + 1n), reverse: true };
    for await (const [key, value] of this.#tables.groups.iterate(range)) {
      const place = readPlaceKey(key);
      const { number: changedAt, blockHash } = place;
      if (this.isCanonical(place)) {
        return { number: changedAt, blockHash, root: decodeGroupRoot(value) };
      }
    }
    return undefined;
  }

  /** The blocks of the canonical chain that changed a group, in order. */
  async *groupBlocks(
    group: Uint8Array,
    { from, to }: { readonly from: bigint; readonly to: bigint },
  ): AsyncGenerator<GroupPlace & GroupBlock> {
    const range = { from: blockKey(group, from), to: blockKey(group, to + 1n) };
    for await (const [key, value] of this.#tables.groups.iterate(range)) {
      const place = readPlaceKey(key);
      if (this.isCanonical(place)) yield { ...place, ...decodeGroupBlock(value) };
    }
  }

  isCanonical({ number, blockHash }: Pick<GroupPlace, "number" | "blockHash">): boolean {
    return this.#blocks.findHeader(number)?.hash === blockHash;
  }
}

function progressOf(cursor: Cursor, rerun: Rerun | undefined): readonly TableChange[] {
  return [
    [CURSOR_KEY, encodeCursor(cursor)],
    [RERUN_KEY, rerun && encodeRerun(rerun)],
  ];
}
