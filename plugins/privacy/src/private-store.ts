import type { BlockReader, Hash, PluginTable, TableChange } from "@plinth/core";
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
  type PendingItem,
  type PrivateReceipt,
  pendingKey,
  placeKey,
  readPendingKey,
  readPlaceKey,
  receiptKey,
  type StoredItem,
} from "./records.js";

/** The root of a state without accounts. */
export const EMPTY_STATE_ROOT: Hash =
  "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/** What is kept of private transactions, by the hash of the block that has the marker. */
export interface PrivateTables {
  /** The private states: nodes, code and preimages by hash. */
  readonly state: PluginTable;
  readonly receipts: PluginTable;
  /** What blocks did to groups. */
  readonly groups: PluginTable;
  /** Private transactions that were fetched and have not run. */
  readonly pending: PluginTable;
  /** How far blocks were searched for markers. */
  readonly progress: PluginTable;
}

/** A transaction that is to run, with its key and its place. */
export type PendingEntry = GroupPlace & { readonly index: number; readonly key: Uint8Array };

/** What a finished block of a group leaves behind. */
export interface FinishedBlock {
  readonly place: GroupPlace;
  readonly entries: Iterable<TableChange>;
  readonly receipts: readonly { readonly marker: Hash; readonly receipt: PrivateReceipt }[];
  /** What became of the group; `undefined` where nothing changed it. */
  readonly groupBlock: GroupBlock | undefined;
  readonly done: readonly Uint8Array[];
}

const CURSOR_KEY = new Uint8Array([0]);

/** Reads and writes what is kept of private transactions; what belongs together is written together. */
export class PrivateStore {
  readonly #tables: PrivateTables;
  readonly #blocks: Pick<BlockReader, "findHeader">;

  constructor(tables: PrivateTables, blocks: Pick<BlockReader, "findHeader">) {
    this.#tables = tables;
    this.#blocks = blocks;
  }

  findCursor(): Cursor | undefined {
    const bytes = this.#tables.progress.getSync(CURSOR_KEY);
    return bytes && decodeCursor(bytes);
  }

  /** Keeps the transactions that a block brought, and that it was searched; those of one payload share its object. */
  async addPending(
    cursor: Cursor,
    items: readonly (PendingItem & { readonly place: GroupPlace; readonly index: number })[],
  ): Promise<void> {
    const { progress, pending } = this.#tables;
    const kept = new Map<Uint8Array, number>();
    const store = ({ marker, payload, index }: PendingItem & { readonly index: number }) => {
      const first = kept.get(payload) ?? index;
      kept.set(payload, first);
      return encodePendingItem({ marker, payload: first === index ? payload : first });
    };
    await progress.writeWith([
      [progress, [[CURSOR_KEY, encodeCursor(cursor)]]],
      [pending, items.map(({ place, ...item }) => [pendingKey(place, item.index), store(item)])],
    ]);
  }

  /** Everything that is to run, by group and in order. */
  async *pending(): AsyncGenerator<PendingEntry> {
    for await (const [key] of this.#tables.pending.iterate()) {
      yield { ...readPendingKey(key), key };
    }
  }

  /** Transactions of one block that are to run; those of one payload share its object. */
  getPending(entries: readonly PendingEntry[]): readonly (PendingItem & { index: number })[] {
    const payloads = new Map<number, Uint8Array>();
    return entries.map(({ index, ...place }) => {
      const { marker, payload } = this.#getStored(pendingKey(place, index));
      const first = typeof payload === "number" ? payload : index;
      const found = payloads.get(first) ?? this.#getPayload(place, first);
      payloads.set(first, found);
      return { marker, payload: found, index };
    });
  }

  /** The marker of a transaction that is to run. */
  findPendingMarker(key: Uint8Array): Hash | undefined {
    const bytes = this.#tables.pending.getSync(key);
    return bytes && decodePendingItem(bytes).marker;
  }

  #getPayload(place: GroupPlace, index: number): Uint8Array {
    const { payload } = this.#getStored(pendingKey(place, index));
    if (payload instanceof Uint8Array) return payload;
    throw new Error(`the payload of the private transaction ${index} of a block is missing`);
  }

  #getStored(key: Uint8Array): StoredItem {
    const bytes = this.#tables.pending.getSync(key);
    if (bytes === undefined) throw new Error("a private transaction that is to run is missing");
    return decodePendingItem(bytes);
  }

  async dropPending(keys: readonly Uint8Array[]): Promise<void> {
    await this.#tables.pending.write(keys.map((key) => [key, undefined]));
  }

  /** Keeps what a block did to a group, all of it or nothing. */
  async finish({ place, entries, receipts, groupBlock, done }: FinishedBlock): Promise<void> {
    const tables = this.#tables;
    await tables.state.writeWith([
      [tables.state, entries],
      [
        tables.receipts,
        receipts.map(({ marker, receipt }) => [
          receiptKey(place.blockHash, marker),
          encodePrivateReceipt(receipt),
        ]),
      ],
      [
        tables.groups,
        groupBlock === undefined ? [] : [[placeKey(place), encodeGroupBlock(groupBlock)]],
      ],
      [tables.pending, done.map((key) => [key, undefined])],
    ]);
  }

  findReceipt(blockHash: Hash, marker: Hash): PrivateReceipt | undefined {
    const bytes = this.#tables.receipts.getSync(receiptKey(blockHash, marker));
    return bytes && decodePrivateReceipt(bytes);
  }

  findGroupBlock(place: GroupPlace): GroupBlock | undefined {
    const bytes = this.#tables.groups.getSync(placeKey(place));
    return bytes && decodeGroupBlock(bytes);
  }

  /** The state of a group after a block of the canonical chain. */
  async rootAt(group: Uint8Array, number: bigint): Promise<Hash> {
    const range = { from: blockKey(group, 0n), to: blockKey(group, number + 1n), reverse: true };
    for await (const [key, value] of this.#tables.groups.iterate(range)) {
      if (this.isCanonical(readPlaceKey(key))) return decodeGroupRoot(value);
    }
    return EMPTY_STATE_ROOT;
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
