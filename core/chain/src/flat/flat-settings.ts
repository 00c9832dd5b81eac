import type { KeyValueStore } from "@plinth/core";

/** How many states are kept. */
export interface HistorySettings {
  /** Number of blocks before the head whose state can be read; `undefined` for all. */
  readonly history?: number | undefined;
  /** Number of blocks before the head whose tries can be had, and that can be removed. */
  readonly proofBlocks: number;
  /** Number of blocks before the head whose changes can be read; those whose tries can be had by default. */
  readonly changesBlocks?: number | undefined;
}

/** The dependencies of the flat layout. */
export interface FlatSettings extends HistorySettings {
  readonly store: KeyValueStore;
  /** Whether another thread writes the database. */
  readonly isReader?: boolean;
  /** Whether removed values are kept: without them those of an origin would be back. */
  readonly keepsRemovals?: boolean;
}

/** The first block whose changes are kept with a head. */
export function firstWithChanges(
  head: number,
  { proofBlocks, changesBlocks = 0 }: Pick<HistorySettings, "proofBlocks" | "changesBlocks">,
): number {
  return head - Math.max(proofBlocks, changesBlocks) + 1;
}
