import type { SealedHeader } from "@plinth/core";
import type { Job, ReaderSettings } from "@plinth/core/query";
import type { ThreadError } from "./thread-error.js";

/** What a thread is made with. */
export interface ThreadSettings extends ReaderSettings {
  /** The memory of `JobFlags`. */
  readonly flags: SharedArrayBuffer;
}

/** A job for a thread. */
export interface RunMessage {
  readonly kind: "run";
  /** Its number among those that the thread does at once, below `MAX_JOBS`. */
  readonly slot: number;
  readonly job: Job;
  /** How long it may take; it is broken off then. */
  readonly maxMs: number;
  /** The head of the chain when the job was given; `undefined` when it is the same as for the job before. */
  readonly head: SealedHeader | undefined;
  /** The block that would come next, where the job asks for it. */
  readonly next: SealedHeader | undefined;
}

/** Messages to a thread. */
export type ToThread =
  | RunMessage
  /** The caller of a streamed answer has taken pieces of this size. */
  | { readonly kind: "taken"; readonly slot: number; readonly size: number }
  /** The caller has left; the job's flag says so to code that does not return to the event loop. */
  | { readonly kind: "cancel"; readonly slot: number };

/** What a thread says of itself. */
export type FromThread =
  | { readonly kind: "ready" }
  /** The thread cannot be used. */
  | { readonly kind: "unusable"; readonly error: ThreadError }
  | { readonly kind: "log"; readonly level: "error" | "warn"; readonly message: string }
  | {
      readonly kind: "job";
      readonly slot: number;
      readonly answer: JobAnswer;
      /** How long the job has taken so far. */
      readonly ms: number;
      /** What the thread holds outside of its heap, where the memory of contracts is. */
      readonly heldBytes: number;
    };

/** What a thread answers: once for each job, but for pieces. */
export type JobAnswer =
  /** The result of a query. */
  | { readonly kind: "value"; readonly value: unknown }
  /** The result of a method, as JSON. */
  | { readonly kind: "json"; readonly json: string | Uint8Array }
  /** A streamed result begins. */
  | { readonly kind: "stream" }
  | { readonly kind: "piece"; readonly piece: string | Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "error"; readonly error: ThreadError };

/** How many jobs a thread has at once at the most, with those that wait for a caller to read. */
export const MAX_JOBS = 32;

/** A stream waits when pieces of this size are under way that the caller has not taken: characters of texts, or bytes. */
export const MAX_AHEAD = 1024 * 1024;
