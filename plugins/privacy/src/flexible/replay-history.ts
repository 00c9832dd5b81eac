import { type BlockReader, type Hash, RlpError } from "@plinth/core";
import type { ExecutionOrder, ExecutionResult } from "../execute-query.js";
import type { SentHistory } from "../find-private-transaction.js";
import { flexibleKeysOf } from "../marker.js";
import type { PastBlock, PrivateStore, TakenHistory } from "../private-store.js";
import type { GroupBlock, GroupPlace } from "../records.js";
import { decodeHistory, type PastTransaction } from "./history.js";

/** What a history is run with. */
export interface ReplaySettings {
  readonly store: Pick<
    PrivateStore,
    "findGroupBlock" | "findLastChange" | "isCanonical" | "keepState"
  >;
  readonly blocks: Pick<BlockReader, "findBlock" | "findTransaction">;
  run(order: Pick<ExecutionOrder, "blockHash" | "root" | "items">): Promise<ExecutionResult>;
}

/** The group that histories are for, before a block of it runs. */
export interface ReplayPlace {
  readonly group: Uint8Array;
  /** The block that names the histories. */
  readonly number: bigint;
  readonly root: Hash;
}

/** What came of the histories that the markers of a block name. */
export interface Replayed {
  readonly root: Hash;
  readonly past: TakenHistory | undefined;
  /** Why histories count for nothing, by the places of their markers in the block. */
  readonly refused: ReadonlyMap<number, string>;
}

/** A past transaction with the place of its marker. */
type PlacedTransaction = PastTransaction & { readonly place: GroupPlace; readonly index: number };

/** A history says something else than the chain or this node. */
class HistoryRefused extends Error {}

/**
 * Runs what a flexible group did before this node was a member, or while it was none, and checks each state.
 *
 * Nothing refers to the states before the caller keeps what is returned.
 */
export async function replayHistories(
  histories: readonly { readonly index: number; readonly history: SentHistory }[],
  place: ReplayPlace,
  settings: ReplaySettings,
): Promise<Replayed> {
  const replay = new Replay(place, settings);
  const refused = new Map<number, string>();
  let key: Uint8Array | undefined;
  for (const { index, history } of histories) {
    try {
      if (await replay.take(history.payload)) key = history.key;
    } catch (error) {
      if (!(error instanceof HistoryRefused)) throw error;
      refused.set(index, error.message);
    }
  }
  const blocks = [...replay.blocks.values()];
  return { root: replay.root, past: key && { key, blocks }, refused };
}

class Replay {
  readonly blocks = new Map<Hash, PastBlock>();
  root: Hash;
  readonly #place: ReplayPlace;
  readonly #settings: ReplaySettings;

  constructor(place: ReplayPlace, settings: ReplaySettings) {
    this.root = place.root;
    this.#place = place;
    this.#settings = settings;
  }

  /** Runs what is missing here; returns whether anything was. */
  async take(payload: Uint8Array): Promise<boolean> {
    const past = this.#read(payload);
    const known = past.findIndex((item) => !this.#has(item));
    if (known === -1) return false;
    const lastKnown = past[known - 1]?.marker;
    if ((await this.#lastMarker()) !== lastKnown) {
      throw new HistoryRefused("it is another history than the one this node has run");
    }
    let root = this.root;
    const made: PastBlock[] = [];
    for (const items of byBlock(past.slice(known))) {
      const block = await this.#run(items, root);
      made.push(block);
      root = block.groupBlock.root;
    }
    for (const block of made) this.blocks.set(block.place.blockHash, block);
    this.root = root;
    return true;
  }

  /** The transactions of a history, where the chain has their markers in this order. */
  #read(payload: Uint8Array): readonly PlacedTransaction[] {
    const past = decode(payload).map((item) => this.#locate(item));
    if (past.length === 0) throw new HistoryRefused("it is empty");
    for (const [at, { place, index, marker }] of past.entries()) {
      const before = past[at - 1];
      const isLater =
        before === undefined ||
        place.number > before.place.number ||
        (place.number === before.place.number && index > before.index);
      if (!isLater) throw new HistoryRefused(`${marker} is not in the order of the chain`);
    }
    return past;
  }

  #locate(item: PastTransaction): PlacedTransaction {
    const { group, number } = this.#place;
    const { transaction, marker } = item;
    if (Buffer.compare(transaction.privacyGroupId ?? new Uint8Array(), group) !== 0) {
      throw new HistoryRefused(`${marker} is of another group`);
    }
    const { blocks, store } = this.#settings;
    const found = blocks.findTransaction(marker);
    const block = found && blocks.findBlock(found.blockHash);
    const named = found && block?.body.transactions[found.index];
    const place = block && { group, number: block.header.number, blockHash: block.header.hash };
    const isThere = place !== undefined && place.number < number && store.isCanonical(place);
    if (
      !isThere ||
      found === undefined ||
      named === undefined ||
      flexibleKeysOf(named) === undefined
    ) {
      throw new HistoryRefused(`${marker} is no marker of an earlier block`);
    }
    return { ...item, place, index: found.index };
  }

  #findGroupBlock(place: GroupPlace): GroupBlock | undefined {
    const { store } = this.#settings;
    return this.blocks.get(place.blockHash)?.groupBlock ?? store.findGroupBlock(place);
  }

  #has({ place, marker }: PlacedTransaction): boolean {
    return this.#findGroupBlock(place)?.markers.includes(marker) === true;
  }

  /** The last transaction of the group that has run here. */
  async #lastMarker(): Promise<Hash | undefined> {
    const taken = [...this.blocks.values()].at(-1);
    if (taken !== undefined) return taken.groupBlock.markers.at(-1);
    const { group, number } = this.#place;
    const last = await this.#settings.store.findLastChange(group, number - 1n);
    return last && this.#findGroupBlock({ group, ...last })?.markers.at(-1);
  }

  async #run(items: readonly PlacedTransaction[], root: Hash): Promise<PastBlock> {
    const { store, run } = this.#settings;
    const [{ place }] = items as [PlacedTransaction];
    const result = await run({
      blockHash: place.blockHash,
      root,
      items: items.map(({ index, encoded }) => ({ index, payload: encoded, isPast: true })),
    });
    // Also those of a history that is refused: the thread that made them takes them for written.
    await store.keepState(result.entries);
    for (const [at, { marker, root: claimed }] of items.entries()) {
      const { status, failure } = result.receipts[at] ?? {};
      if (status !== 1) throw new HistoryRefused(`${marker} fails: ${failure}`);
      if (result.roots[at] !== claimed) {
        throw new HistoryRefused(
          `the state after ${marker} is ${result.roots[at]}, and it says ${claimed}`,
        );
      }
    }
    const { markers = [], roots = [] } = this.#findGroupBlock(place) ?? {};
    return {
      place,
      groupBlock: {
        root: result.root,
        markers: [...markers, ...items.map(({ marker }) => marker)],
        roots: [...roots, ...result.roots],
      },
      receipts: items.map(({ marker }, at) => ({
        marker,
        receipt: result.receipts[at] as (typeof result.receipts)[number],
      })),
    };
  }
}

function decode(payload: Uint8Array): readonly PastTransaction[] {
  try {
    return decodeHistory(payload);
  } catch (error) {
    if (error instanceof RlpError) throw new HistoryRefused(error.message);
    throw error;
  }
}

/** Those of one block each, in order. */
function byBlock(past: readonly PlacedTransaction[]): readonly (readonly PlacedTransaction[])[] {
  const blocks = new Map<Hash, PlacedTransaction[]>();
  for (const item of past) {
    const items = blocks.get(item.place.blockHash) ?? [];
    items.push(item);
    blocks.set(item.place.blockHash, items);
  }
  return [...blocks.values()];
}
