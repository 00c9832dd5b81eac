import type { SealedHeader } from "@plinth/core";
import type { Job, ReaderSettings } from "@plinth/core/query";
import type { ThreadError } from "./thread-error.js";

/** Startup data of a thread. */
export interface ThreadSettings extends ReaderSettings {
  /** The memory of `JobFlags`. */
  readonly flags: SharedArrayBuffer;
}

/** A job for a thread. */
export interface RunMessage {
  readonly kind: "run";
  /** Slot of the job on its thread, below `MAX_JOBS`. */
  readonly slot: number;
  readonly job: Job;
  /** Time limit, after which it is aborted. */
  readonly maxMs: number;
  /**
   * The head of the chain when the job was assigned; `undefined` if it is the same as for the
   * previous job.
   */
  readonly head: SealedHeader | undefined;
  /** The next block, if the job needs it. */
  readonly next: SealedHeader | undefined;
}

/** Messages to a thread. */
export type ToThread =
  | RunMessage
  /** The caller of a streamed response has read pieces of this size. */
  | { readonly kind: "taken"; readonly slot: number; readonly size: number }
  /**
   * The caller has left; the flag of the job informs code that does not return to the event loop.
   */
  | { readonly kind: "cancel"; readonly slot: number };

/** Status of a thread. */
export type FromThread =
  | { readonly kind: "ready" }
  /** The thread is not usable. */
  | { readonly kind: "unusable"; readonly error: ThreadError }
  | { readonly kind: "log"; readonly level: "error" | "warn"; readonly message: string }
  | {
      readonly kind: "job";
      readonly slot: number;
      readonly answer: JobAnswer;
      /** Run time of the job so far. */
      readonly ms: number;
      /** Off-heap memory of the thread, which includes the memory of contracts. */
      readonly heldBytes: number;
    };

/** Messages from a thread: one per job, except for pieces. */
export type JobAnswer =
  /** The result of a query. */
  | { readonly kind: "value"; readonly value: unknown }
  /** The result of a method, as JSON. */
  | { readonly kind: "json"; readonly json: string | Uint8Array }
  /** A streamed result starts. */
  | { readonly kind: "stream" }
  | { readonly kind: "piece"; readonly piece: string | Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "error"; readonly error: ThreadError };

/** Maximum number of concurrent jobs per thread, including those waiting for a caller to read. */
export const MAX_JOBS = 32;

/** A stream pauses when unread pieces reach this size: characters of texts, or bytes. */
export const MAX_AHEAD = 1024 * 1024;
