import type { SealedHeader } from "@plinth/core";
import type { Job } from "@plinth/core/query";

/** A job as submitted. */
export interface QueryOrder {
  readonly job: Job;
  /** Its connection: connections are served in turn. */
  readonly client: object;
  readonly closed?: AbortSignal | undefined;
  /** Time limit, including the waiting time once a thread is available. */
  readonly maxMs: number;
  /**
   * It is known to take long, and returns to the event loop regularly: others can run beside it.
   */
  readonly isLong: boolean;
  /** Address of its caller, if known. */
  readonly address?: string | undefined;
  /** Disconnects a caller that does not read its stream. */
  readonly disconnect?: (() => void) | undefined;
  /** The next block, if the job needs it. */
  readonly next?: SealedHeader | undefined;
}

/** Result of a job. */
export type QueryAnswer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "json"; readonly json: string | Uint8Array }
  | { readonly kind: "stream"; readonly pieces: AsyncIterable<string | Uint8Array> };

/** A job that waits for a thread, or has one. */
export interface PendingQuery extends QueryOrder {
  readonly enqueuedAt: number;
  /** Known once a thread is available. */
  deadline: number;
  /** Whether others can run beside it. */
  readonly yields: boolean;
  /** It has used up its time slice and needs more, or is known to. */
  isLong: boolean;
  resolve(answer: QueryAnswer): void;
  reject(error: Error): void;
  /** Stops watching the caller and the deadline. */
  settle: () => void;
}

/** Rejects a job, and stops watching it. */
export function fail(pending: PendingQuery, error: Error): void {
  pending.settle();
  pending.reject(error);
}
