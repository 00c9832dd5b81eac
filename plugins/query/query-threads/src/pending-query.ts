import type { SealedHeader } from "@plinth/core";
import type { Job } from "@plinth/core/query";

/** A job as a caller gives it. */
export interface QueryOrder {
  readonly job: Job;
  /** Whose it is: connections are served in turn. */
  readonly client: object;
  readonly closed?: AbortSignal | undefined;
  /** Counted with the time it waits, once a thread is there that could run it. */
  readonly maxMs: number;
  /** It is known to take long, and returns to the event loop now and then: others can run beside it. */
  readonly isLong: boolean;
  /** Where its caller is, as far as that is known. */
  readonly address?: string | undefined;
  /** Ends the connection of a caller that does not read what is streamed to it. */
  readonly disconnect?: (() => void) | undefined;
  /** The block that would come next, where the job asks for it. */
  readonly next?: SealedHeader | undefined;
}

/** What a job answers. */
export type QueryAnswer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "json"; readonly json: string | Uint8Array }
  | { readonly kind: "stream"; readonly pieces: AsyncIterable<string | Uint8Array> };

/** A job that waits for a thread, or has one. */
export interface PendingQuery extends QueryOrder {
  readonly enqueuedAt: number;
  /** Known once a thread is there that could run it. */
  deadline: number;
  /** Whether others can run beside it. */
  readonly yields: boolean;
  /** It has had its turn and needs more time, or is known to. */
  isLong: boolean;
  resolve(answer: QueryAnswer): void;
  reject(error: Error): void;
  /** Stops listening to the caller and to the clock. */
  settle: () => void;
}

/** Rejects a job, and stops watching it. */
export function fail(pending: PendingQuery, error: Error): void {
  pending.settle();
  pending.reject(error);
}
