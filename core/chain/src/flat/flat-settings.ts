import type { KeyValueStore } from "@plinth/core";

/** How many states are kept. */
export interface HistorySettings {
  /** Number of blocks before the head whose state can be read; `undefined` for all. */
  readonly history?: number | undefined;
  /** Number of blocks before the head whose tries can be had, and that can be removed. */
  readonly proofBlocks: number;
}

/** The dependencies of the flat layout. */
export interface FlatSettings extends HistorySettings {
  readonly store: KeyValueStore;
  /** Whether another thread writes the database. */
  readonly isReader?: boolean;
  /** Whether removed values are kept: without them those of an origin would be back. */
  readonly keepsRemovals?: boolean;
}
