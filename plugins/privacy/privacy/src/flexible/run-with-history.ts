import type { Hash } from "@plinth/core";
import type { ExecutionResult } from "../execution/execute-query.js";
import type { TakenHistory } from "../store/private-store.js";
import type { PendingTransaction, PrivateReceipt } from "../store/records.js";
import { HistoryRefused, type ReplaySettings, replayHistory } from "./replay-history.js";
import { findRunBefore, isOfOnePayload } from "./run-before.js";
import { decodeVersionedTransaction } from "./versioned-transaction.js";

/** The block of a flexible group that is run. */
export interface RunPlace {
  readonly group: Uint8Array;
  readonly number: bigint;
  readonly blockHash: Hash;
  /** The state of the group before the block. */
  readonly root: Hash;
}

/** A private transaction of a block that has run. */
export interface RanTransaction {
  readonly marker: Hash;
  readonly index: number;
  readonly receipt: PrivateReceipt;
}

/** What came of the private transactions of a block. */
export interface RunResult extends Pick<ExecutionResult, "root" | "roots"> {
  /** In order. */
  readonly transactions: readonly RanTransaction[];
  /** The entries of the state that are not kept yet. */
  readonly entries: ExecutionResult["entries"];
}

/** The private transactions of a block: there may be more than is good to hold at a time. */
export interface PendingBlock {
  readonly length: number;
  /** All of them in parts, as often as they are asked for. */
  parts(): Iterable<readonly PendingTransaction[]>;
  getHistory(index: number): Uint8Array;
}

/** What came of a block. */
export interface RunWithHistory {
  /** The state that the private transactions of the block ran on. */
  readonly before: Hash;
  readonly result: RunResult;
  readonly past: TakenHistory | undefined;
  /** Why histories count for nothing, by the places of their markers in the block. */
  readonly refused: ReadonlyMap<number, string>;
  /** How many transactions are not in the histories of members who were added, by the places of the additions in the list. */
  readonly lacking: ReadonlyMap<number, number>;
}

/**
 * Runs the private transactions of a block; where one of them adds this node to the group, after the history that it brings.
 *
 * A history counts where the transaction that brings it succeeds after it: else anyone could make up what a group has done.
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
        `the members have run what brings it in block ${ranIn}, by another marker; add this node again`,
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
    refused.set(index, `what brings it fails after it: ${failure}`);
  }
  const result = await runParts(block, place, settings);
  for (const at of [...lacking.keys()]) {
    if (result.transactions[at]?.receipt.status !== 1) lacking.delete(at);
  }
  return { before: place.root, result, past: undefined, refused, lacking };
}

/** The transactions of a block that bring histories. */
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

/** A private transaction of a block by its place among those of the group. */
function getAt(block: PendingBlock, at: number): PendingTransaction {
  let before = 0;
  for (const part of block.parts()) {
    const found = part[at - before];
    if (found !== undefined) return found;
    before += part.length;
  }
  throw new Error(`a block has no private transaction ${at}`);
}

/** Whether a transaction has run in a block, by its own marker or by another of the same payload. */
function hasRun(
  { marker }: Pick<PendingTransaction, "marker">,
  { transactions }: RunResult,
  { blocks }: Pick<ReplaySettings, "blocks">,
): boolean {
  return transactions.some(
    ({ marker: other, receipt }) => receipt.status === 1 && isOfOnePayload(marker, other, blocks),
  );
}

/** Runs all of a block, one part after the other. */
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
    // The next part runs on them; nothing else refers to them yet.
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
