import type { Hash } from "@plinth/core";
import type { ExecutionResult } from "../execution/execute-query.js";
import type { TakenHistory } from "../store/private-store.js";
import type { PendingTransaction, PrivateReceipt } from "../store/records.js";
import { HistoryRefused, type ReplaySettings, replayHistory } from "./replay-history.js";
import { findRunBefore, isOfOnePayload } from "./run-before.js";
import { decodeVersionedTransaction } from "./versioned-transaction.js";

/** The block of a flexible group to execute. */
export interface RunPlace {
  readonly group: Uint8Array;
  readonly number: bigint;
  readonly blockHash: Hash;
  /** State root of the group before the block. */
  readonly root: Hash;
}

/** An executed private transaction of a block. */
export interface RanTransaction {
  readonly marker: Hash;
  readonly index: number;
  readonly receipt: PrivateReceipt;
}

/** Result of executing the private transactions of a block. */
export interface RunResult extends Pick<ExecutionResult, "root" | "roots"> {
  /** In order. */
  readonly transactions: readonly RanTransaction[];
  /** State entries that are not persisted yet. */
  readonly entries: ExecutionResult["entries"];
}

/** The private transactions of a block: possibly too many to hold in memory at once. */
export interface PendingBlock {
  readonly length: number;
  /** Iterates over all of them in parts; can be called repeatedly. */
  parts(): Iterable<readonly PendingTransaction[]>;
  getHistory(index: number): Uint8Array;
}

/** Result of executing a block. */
export interface RunWithHistory {
  /** State root on which the private transactions of the block ran. */
  readonly before: Hash;
  readonly result: RunResult;
  readonly past: TakenHistory | undefined;
  /** Why histories were rejected, by the position of their markers in the block. */
  readonly refused: ReadonlyMap<number, string>;
  /**
   * Number of transactions missing from the histories of added members, by the index of the
   * addition.
   */
  readonly lacking: ReadonlyMap<number, number>;
}

/**
 * Executes the private transactions of a block; if one of them adds this node to the group, replays the history it carries first.
 *
 * A history counts only if the transaction that carries it succeeds after it: otherwise anyone could forge the past of a group.
 */
export async function runWithHistory(
  block: PendingBlock,
  place: RunPlace,
  settings: ReplaySettings,
): Promise<RunWithHistory> {
  const refused = new Map<number, string>();
  const lacking = new Map<number, number>();
  for (const { at, index, key, sender } of broughtBy(block)) {
    const payload = block.getHistory(index);
    const replayed = await orRefusal(replayHistory({ payload, sender }, place, settings));
    if (typeof replayed === "string") {
      refused.set(index, replayed);
      continue;
    }
    if ("lacks" in replayed) {
      if (replayed.lacks > 0) lacking.set(at, replayed.lacks);
      continue;
    }
    const addition = { ...getAt(block, at), number: place.number };
    const ranIn = await findRunBefore(addition, replayed, settings);
    if (ranIn !== undefined) {
      refused.set(
        index,
        `the members have executed the addition in block ${ranIn} through another marker; add this node again`,
      );
      continue;
    }
    const result = await runParts(block, { ...place, root: replayed.root }, settings);
    const { failure } = result.transactions[at]?.receipt ?? {};
    if (hasRun(addition, result, settings)) {
      const past = { key, blocks: replayed.blocks };
      return { before: replayed.root, result, past, refused, lacking: new Map() };
    }
    await settings.store.keepState(result.entries);
    refused.set(index, `the addition fails after it: ${failure}`);
  }
  const result = await runParts(block, place, settings);
  for (const at of [...lacking.keys()]) {
    if (result.transactions[at]?.receipt.status !== 1) lacking.delete(at);
  }
  return { before: place.root, result, past: undefined, refused, lacking };
}

/** The transactions of a block that carry histories. */
function broughtBy(block: PendingBlock) {
  const brought = [];
  let at = 0;
  for (const part of block.parts()) {
    for (const { index, payload, historyKey: key } of part) {
      if (key !== undefined) {
        const { privateFrom: sender } = decodeVersionedTransaction(payload).transaction;
        brought.push({ at, index, key, sender });
      }
      at += 1;
    }
  }
  return brought;
}

/** A private transaction of a block by its index within the group. */
function getAt(block: PendingBlock, at: number): PendingTransaction {
  let before = 0;
  for (const part of block.parts()) {
    const found = part[at - before];
    if (found !== undefined) return found;
    before += part.length;
  }
  throw new Error(`a block has no private transaction ${at}`);
}

/**
 * Whether a transaction has run in a block, through its own marker or another one with the same
 * payload.
 */
function hasRun(
  { marker }: Pick<PendingTransaction, "marker">,
  { transactions }: RunResult,
  { blocks }: Pick<ReplaySettings, "blocks">,
): boolean {
  return transactions.some(
    ({ marker: other, receipt }) => receipt.status === 1 && isOfOnePayload(marker, other, blocks),
  );
}

/** Executes all parts of a block in order. */
async function runParts(
  block: PendingBlock,
  { blockHash, root: before }: Pick<RunPlace, "blockHash" | "root">,
  { run, store }: Pick<ReplaySettings, "run" | "store">,
): Promise<RunResult> {
  const transactions: RanTransaction[] = [];
  const roots: Hash[] = [];
  let root = before;
  for (const part of block.parts()) {
    const items = part.map(({ index, payload }) => ({ index, payload }));
    const result = await run({ blockHash, root, items });
    root = result.root;
    roots.push(...result.roots);
    for (const [at, { marker, index }] of part.entries()) {
      transactions.push({ marker, index, receipt: getReceipt(result, at) });
    }
    const { entries } = result;
    if (transactions.length === block.length) return { root, roots, transactions, entries };
    // The next part runs on them; nothing else references them yet.
    await store.keepState(entries);
  }
  throw new Error(`${transactions.length} of ${block.length} private transactions of a block ran`);
}

function getReceipt({ receipts }: ExecutionResult, index: number): PrivateReceipt {
  const receipt = receipts[index];
  if (receipt === undefined) throw new Error("a private transaction has no receipt");
  return receipt;
}

async function orRefusal<T>(replay: Promise<T>): Promise<T | string> {
  try {
    return await replay;
  } catch (error) {
    if (error instanceof HistoryRefused) return error.message;
    throw error;
  }
}
