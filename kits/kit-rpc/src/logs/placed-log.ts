import type { Hash, Log, SealedHeader } from "@plinth/core";
import type { EncodedLog } from "./receipt-logs.js";

/** A log and its position. */
export interface PlacedLog {
  readonly log: Log;
  readonly header: Pick<SealedHeader, "hash" | "number" | "timestamp">;
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
  /** The index within the block. */
  readonly logIndex: number;
  /** Whether its block is off the canonical chain. */
  readonly isRemoved: boolean;
}

/** A log that a search found, in the bytes of its block. */
export interface FoundLog extends PlacedLog {
  readonly log: EncodedLog;
}
