import type { SealedBlock } from "../blocks/block.js";

/** Where a block comes from: this node, a peer's announcement, a synchronisation, a file. */
export type ImportOrigin = "own" | "peer" | "sync" | "file";

/** How a block stands in the import queue. */
export interface QueuePlace {
  readonly origin: ImportOrigin;
  /** What it holds in memory while it waits; nothing that counts by default. */
  readonly bytes?: number;
  /** Takes the work out of the queue when it aborts; work that has begun decides for itself. */
  readonly signal?: AbortSignal | undefined;
}

/** What a new head means for the canonical chain. */
export interface HeadChange {
  /** Blocks that join the canonical chain, oldest first. */
  readonly added: readonly SealedBlock[];
  /** Blocks that leave it, newest first. */
  readonly removed: readonly SealedBlock[];
}

/** Where a block ended up, and what had to move for it. */
export interface ImportResult extends HeadChange {
  readonly block: SealedBlock;
  /** `known` when it was there already, `deferred` when it cannot be judged yet. */
  readonly placement: "head" | "side" | "known" | "deferred";
  /** What a deferred block waits for. */
  readonly awaits?: "parent" | "time";
}
