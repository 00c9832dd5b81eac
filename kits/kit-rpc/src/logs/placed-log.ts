import type { Hash, Log, SealedHeader } from "@plinth/core";

/** A log and where it stands. */
export interface PlacedLog {
  readonly log: Log;
  readonly header: Pick<SealedHeader, "hash" | "number" | "timestamp">;
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
  /** Counted within the block. */
  readonly logIndex: number;
  /** Is its block off the canonical chain? */
  readonly isRemoved: boolean;
}
