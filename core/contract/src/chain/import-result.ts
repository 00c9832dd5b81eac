import type { SealedBlock } from "../blocks/block.js";

/** The origin of a block: this node, a peer's announcement, a synchronization, a file. */
export type ImportOrigin = "own" | "peer" | "sync" | "file";

/** How a block is queued for import. */
export interface QueuePlace {
  readonly origin: ImportOrigin;
  /** Memory it occupies while queued; negligible by default. */
  readonly bytes?: number;
  /** Removes the work from the queue when it aborts; work in progress handles it itself. */
  readonly signal?: AbortSignal | undefined;
}

/** The effect of a new head on the canonical chain. */
export interface HeadChange {
  /** Blocks that join the canonical chain, oldest first. */
  readonly added: readonly SealedBlock[];
  /** Blocks that leave it, newest first. */
  readonly removed: readonly SealedBlock[];
}

/** The result of an import, and its effect on the canonical chain. */
export interface ImportResult extends HeadChange {
  readonly block: SealedBlock;
  /** `known` if it was stored already, `deferred` if it cannot be validated yet. */
  readonly placement: "head" | "side" | "known" | "deferred";
  /** What a deferred block waits for. */
  readonly awaits?: "parent" | "time";
}
