import type { Hash } from "@plinth/core";
import type { ExecutionResult } from "../execute-query.js";
import type { TakenHistory } from "../private-store.js";
import type { PendingItem } from "../records.js";
import { HistoryRefused, type ReplaySettings, replayHistory } from "./replay-history.js";
import { decodeVersionedTransaction } from "./versioned-transaction.js";

/** The block of a flexible group that is run. */
export interface RunPlace {
  readonly group: Uint8Array;
  readonly number: bigint;
  readonly blockHash: Hash;
  /** The state of the group before the block. */
  readonly root: Hash;
}

/** What came of a block. */
export interface RunWithHistory {
  /** The state that the private transactions of the block ran on. */
  readonly before: Hash;
  readonly result: ExecutionResult;
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
  items: readonly (PendingItem & { readonly index: number })[],
  { root: before, blockHash, ...place }: RunPlace,
  settings: ReplaySettings,
): Promise<RunWithHistory> {
  const runOn = (root: Hash) =>
    settings.run({
      blockHash,
      root,
      items: items.map(({ index, payload }) => ({ index, payload })),
    });
  const refused = new Map<number, string>();
  const lacking = new Map<number, number>();
  for (const [at, { index, payload, history }] of items.entries()) {
    if (history === undefined) continue;
    const { privateFrom: sender } = decodeVersionedTransaction(payload).transaction;
    const replayed = await orRefusal(
      replayHistory({ payload: history.payload, sender }, place, settings),
    );
    if (typeof replayed === "string") {
      refused.set(index, replayed);
      continue;
    }
    if ("lacks" in replayed) {
      if (replayed.lacks > 0) lacking.set(at, replayed.lacks);
      continue;
    }
    const result = await runOn(replayed.root);
    const { status, failure } = result.receipts[at] ?? {};
    if (status === 1) {
      const past = { key: history.key, blocks: replayed.blocks };
      return { before: replayed.root, result, past, refused, lacking: new Map() };
    }
    await settings.store.keepState(result.entries);
    refused.set(index, `what brings it fails after it: ${failure}`);
  }
  const result = await runOn(before);
  for (const at of [...lacking.keys()]) if (result.receipts[at]?.status !== 1) lacking.delete(at);
  return { before, result, past: undefined, refused, lacking };
}

async function orRefusal<T>(replay: Promise<T>): Promise<T | string> {
  try {
    return await replay;
  } catch (error) {
    if (error instanceof HistoryRefused) return error.message;
    throw error;
  }
}
