import { type BlockReader, type Hash, RlpError } from "@plinth/core";
import { RunTooLarge, RunTooLong } from "@plinth/core/evm";
import { toBase64 } from "@plinth/kit-enclave";
import type { ExecutionOrder, ExecutionResult } from "../execution/execute-query.js";
import { failedReceipt } from "../execution/run-private-transaction.js";
import { flexibleKeysOf } from "../markers/marker.js";
import { EMPTY_STATE_ROOT, type PastBlock, type PrivateStore } from "../store/private-store.js";
import type { GroupPlace, PrivateReceipt } from "../store/records.js";
import { type PastTransaction, readHistory } from "./history.js";

/** Approximate limit for the receipts of a history, which are stored in one write. */
const MAX_RECEIPT_BYTES = 256 * 1024 * 1024;
/** Approximate size of a log or a receipt without its data. */
const BARE_BYTES = 256;
const NOT_RUN = "the members of the group have not executed it";

/** Dependencies of replaying a history. */
export interface ReplaySettings {
  readonly store: Pick<PrivateStore, "groupBlocks" | "isCanonical" | "keepState">;
  readonly blocks: Pick<BlockReader, "findBlock" | "findTransaction">;
  run(order: Pick<ExecutionOrder, "blockHash" | "root" | "items">): Promise<ExecutionResult>;
  /** Whether to abandon a history that takes too long. */
  readonly isLastTry: boolean;
  /** The members of the group before the block, as of this node, in base64. */
  members(): Promise<readonly string[]>;
  /** The key of this node, in base64; `undefined` if tenants have their own keys. */
  readonly nodeKey: string | undefined;
}

/** The group of a history, and the block that names it. */
export interface ReplayPlace {
  readonly group: Uint8Array;
  readonly number: bigint;
}

/** A history as received. */
export interface BroughtHistory {
  readonly payload: Uint8Array;
  /** The key of its sender. */
  readonly sender: Uint8Array;
}

/** Transactions of the members that this node has not executed. */
export interface Replayed {
  /** State root of the group after them. */
  readonly root: Hash;
  /** Last block of the history. */
  readonly last: bigint;
  readonly blocks: readonly PastBlock[];
}

/** A history of which this node has executed everything. */
export interface KnownHistory {
  /** Number of transactions that this node has executed after it. */
  readonly lacks: number;
}

/** A transaction of a group, executed here or part of a history. */
interface Ran {
  readonly marker: Hash;
  readonly root: Hash;
  readonly place: GroupPlace;
}

/** A past transaction with the position of its marker. */
type PlacedTransaction = PastTransaction & Ran & { readonly index: number };

/** A history that contradicts the chain or this node, or whose sender is not entitled to it. */
export class HistoryRefused extends Error {}

/**
 * Executes the transactions of a flexible group from before this node was a member, or from while it was not, and checks each state root.
 *
 * Anyone can send a history for any group. For a group that this node already has, only its members, as of this node,
 * can extend it. If this node was removed, all of them may have left since, so anyone can, provided nothing is reverted.
 * Transactions that this node executed and the members did not, because they rejected the transaction that added this
 * node, are reverted. The new states stay unreferenced until the caller stores the result.
 */
export async function replayHistory(
  { payload, sender }: BroughtHistory,
  place: ReplayPlace,
  settings: ReplaySettings,
): Promise<Replayed | KnownHistory> {
  const past = await readPlaced(payload, place, settings);
  const own = await ownOf(place, settings);
  const differsAt = past.findIndex(({ marker }, at) => own[at]?.marker !== marker);
  if (differsAt === -1) return { lacks: own.length - past.length };
  if (own.length > 0 && differsAt === 0) throw new HistoryRefused("it belongs to another group");
  if (own.length > 0) await verifySender(sender, differsAt === own.length, settings);
  const root = own[differsAt - 1]?.root ?? EMPTY_STATE_ROOT;
  const made = await runAll(past.slice(differsAt), root, settings);
  const blocks = blocksOf(own.slice(0, differsAt), own.slice(differsAt), made);
  return { root: made.at(-1)?.root ?? root, last: past.at(-1)?.place.number ?? 0n, blocks };
}

async function verifySender(
  sender: Uint8Array,
  isAfterOwn: boolean,
  { members, nodeKey }: Pick<ReplaySettings, "members" | "nodeKey">,
): Promise<void> {
  const known = await members();
  if (known.includes(toBase64(sender))) return;
  const hasLeft = known.length > 0 && nodeKey !== undefined && !known.includes(nodeKey);
  if (isAfterOwn && hasLeft) return;
  throw new HistoryRefused("its sender is not a member of the group as of this node");
}

/** The transactions of a history; throws unless the chain has their markers in this order. */
async function readPlaced(
  payload: Uint8Array,
  place: ReplayPlace,
  settings: ReplaySettings,
): Promise<readonly PlacedTransaction[]> {
  const past: PlacedTransaction[] = [];
  try {
    for await (const item of readHistory(payload)) {
      const placed = locate(item, place, settings);
      const before = past.at(-1);
      if (before !== undefined && !isLater(placed, before)) {
        throw new HistoryRefused(`${item.marker} is not in chain order`);
      }
      past.push(placed);
    }
  } catch (error) {
    throw error instanceof RlpError ? new HistoryRefused(error.message) : error;
  }
  if (past.length === 0) throw new HistoryRefused("it is empty");
  return past;
}

function isLater(one: PlacedTransaction, other: PlacedTransaction): boolean {
  const [number, before] = [one.place.number, other.place.number];
  return number > before || (number === before && one.index > other.index);
}

function locate(
  item: PastTransaction,
  { group, number }: ReplayPlace,
  { blocks, store }: ReplaySettings,
): PlacedTransaction {
  const { transaction, marker } = item;
  if (Buffer.compare(transaction.privacyGroupId ?? new Uint8Array(), group) !== 0) {
    throw new HistoryRefused(`${marker} belongs to another group`);
  }
  const found = blocks.findTransaction(marker);
  const block = found && blocks.findBlock(found.blockHash);
  const named = found && block?.body.transactions[found.index];
  const place = block && { group, number: block.header.number, blockHash: block.header.hash };
  const isThere = place !== undefined && place.number < number && store.isCanonical(place);
  if (!isThere || named === undefined || flexibleKeysOf(named) === undefined) {
    throw new HistoryRefused(`${marker} is not a marker of an earlier block`);
  }
  return { ...item, place, index: found?.index ?? 0 };
}

/** The transactions of the group that this node has executed. */
async function ownOf(
  { group, number }: ReplayPlace,
  { store }: ReplaySettings,
): Promise<readonly Ran[]> {
  const own: Ran[] = [];
  const range = { from: 0n, to: number - 1n };
  for await (const { markers, roots = [], ...place } of store.groupBlocks(group, range)) {
    const { number, blockHash } = place;
    for (const [at, marker] of markers.entries()) {
      own.push({ marker, root: roots[at] as Hash, place: { group, number, blockHash } });
    }
  }
  return own;
}

/** A past transaction that has just been executed here. */
type Made = Ran & { readonly receipt: PrivateReceipt };

async function runAll(
  past: readonly PlacedTransaction[],
  before: Hash,
  settings: ReplaySettings,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  let bytes = 0;
  for (const items of byBlock(past).values()) {
    const ran = await runBlock(items, made.at(-1)?.root ?? before, settings);
    bytes += ran.reduce((sum, { receipt }) => sum + bytesOf(receipt), 0);
    if (bytes > MAX_RECEIPT_BYTES) {
      throw new HistoryRefused(`its receipts take more than ${MAX_RECEIPT_BYTES} bytes`);
    }
    made.push(...ran);
  }
  return made;
}

async function runBlock(
  items: readonly PlacedTransaction[],
  root: Hash,
  { store, run, isLastTry }: ReplaySettings,
): Promise<readonly Made[]> {
  const [{ place }] = items as [PlacedTransaction];
  const order = {
    blockHash: place.blockHash,
    root,
    items: items.map(({ index, encoded }) => ({ index, payload: encoded, isPast: true })),
  };
  const result = await run(order).catch((error) => {
    const isTooMuch = error instanceof RunTooLong || error instanceof RunTooLarge;
    if (isTooMuch && isLastTry) {
      throw new HistoryRefused(`block ${place.number} of it: ${error.message}`);
    }
    throw error;
  });
  // Including those of a rejected history: the thread that created them treats them as written.
  await store.keepState(result.entries);
  return items.map(({ marker, root: claimed }, at) => {
    const receipt = result.receipts[at];
    const after = result.roots[at];
    if (receipt?.status !== 1 || after === undefined) {
      throw new HistoryRefused(`${marker} fails: ${receipt?.failure}`);
    }
    if (after !== claimed) {
      throw new HistoryRefused(
        `the state after ${marker} is ${after}, but the history states ${claimed}`,
      );
    }
    return { marker, root: after, place, receipt };
  });
}

/** Records for the blocks in which something was reverted or executed; the common prefix stays. */
function blocksOf(
  common: readonly Ran[],
  undone: readonly Ran[],
  made: readonly Made[],
): readonly PastBlock[] {
  const [stays, goes, comes] = [byBlock(common), byBlock(undone), byBlock(made)];
  const isMade = new Set(made.map(({ marker }) => marker));
  return [...new Map<Hash, readonly Ran[]>([...goes, ...comes])].map(([blockHash, [first]]) => {
    const { place } = first as Ran;
    const after = comes.get(blockHash) ?? [];
    const ran = [...(stays.get(blockHash) ?? []), ...after];
    const last = ran.at(-1);
    const failed = (goes.get(blockHash) ?? []).filter(({ marker }) => !isMade.has(marker));
    return {
      place,
      groupBlock: last && {
        root: last.root,
        markers: ran.map(({ marker }) => marker),
        roots: ran.map(({ root }) => root),
      },
      receipts: [
        ...failed.map(({ marker }) => ({ marker, receipt: failedReceipt(place.group, NOT_RUN) })),
        ...after.map(({ marker, receipt }) => ({ marker, receipt })),
      ],
    };
  });
}

/** Grouped by block hash. */
function byBlock<T extends Pick<Ran, "place">>(all: readonly T[]): ReadonlyMap<Hash, readonly T[]> {
  const blocks = new Map<Hash, T[]>();
  for (const one of all) {
    const items = blocks.get(one.place.blockHash) ?? [];
    items.push(one);
    blocks.set(one.place.blockHash, items);
  }
  return blocks;
}

function bytesOf({ logs, output }: PrivateReceipt): number {
  return logs.reduce((sum, { data }) => sum + BARE_BYTES + data.length, BARE_BYTES + output.length);
}
