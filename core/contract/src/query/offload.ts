import type { SealedHeader } from "../blocks/header.js";
import { defineContributionPoint } from "../kernel/contributions.js";
import type { Logger } from "../kernel/logs/log.js";

/**
 * A job that can run on another thread: a method of a namespace, or a query of the core or of a
 * plugin.
 */
export type Job =
  | { readonly kind: "method"; readonly method: string; readonly params: readonly unknown[] }
  | { readonly kind: "query"; readonly query: string; readonly params: readonly unknown[] };

/** The caller of a job. */
export interface OffloadCaller {
  /** Aborts the job. */
  readonly closed: AbortSignal;
  /** The address of the caller, if known. */
  readonly address?: string | undefined;
  /** Closes the connection of a caller that does not read its stream. */
  readonly disconnect?: (() => void) | undefined;
}

/** A job and how it may run. */
export interface OffloadOrder {
  readonly job: Job;
  /** The plugin it belongs to; every thread has those of the core. */
  readonly plugin?: string | undefined;
  /** The connection it belongs to: connections are served in turn. */
  readonly client: object;
  /** Includes the time it waits, once a thread exists that could run it. */
  readonly maxMs: number;
  /** It is known to take long, and yields to the event loop: others can run beside it. */
  readonly isLong: boolean;
  /** It may start on the main thread, which is cheapest for short jobs. */
  readonly mayBeginHere: boolean;
  /** The caller; requested only when it leaves the main thread, since most jobs do not. */
  caller(): OffloadCaller;
  /** The next block, if the job needs it. */
  readonly next?: (() => Promise<SealedHeader>) | undefined;
  /** Runs it on the main thread. */
  here(): unknown;
}

/** What another thread needs to open the chain of a node read-only. */
export interface ReaderSettings {
  /** The plugins it loads: drivers, engines, precompiles and the methods that run on it. */
  readonly modules: readonly { readonly name: string; readonly url: string }[];
  /** Registers hooks of the module loader first, if the program has some. */
  readonly preload: string | undefined;
  /** The values of all options, by key. */
  readonly options: ReadonlyMap<string, { readonly value: unknown; readonly isSet: boolean }>;
  readonly genesis: object;
  readonly origin: string;
  readonly storage: string;
  readonly folder: string;
}

/** The context of an offload. */
export interface OffloadContext {
  /** `undefined` if another thread cannot read the chain: all jobs run on the main thread. */
  readonly reader: ReaderSettings | undefined;
  head(): SealedHeader;
  readonly log: Logger;
}

/** Decides where the jobs of a node run. */
export interface QueryOffload {
  /** Called continually while a call runs on the main thread; throws to abort it. */
  readonly interrupt: () => void;
  /** The chain is open. */
  open(context: OffloadContext): void;
  /** Runs a job; `undefined` if the caller should run it on the main thread. */
  run(order: OffloadOrder): Promise<unknown> | undefined;
  /** Ends all jobs, before the storage they read is closed. */
  close(): Promise<void>;
}

/**
 * The contribution point of offloads for long jobs; without one they run on the main thread. One
 * plugin at most.
 */
export const offloads = defineContributionPoint<() => QueryOffload>("query.offload", {
  summary: "Runs calls and traces outside the main thread.",
  key: { label: "place", of: () => "offload" },
});
