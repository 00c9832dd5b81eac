import type { SealedHeader } from "../blocks/header.js";
import { defineContributionPoint } from "../kernel/contributions.js";
import type { Logger } from "../kernel/logs/log.js";

/** What can run on another thread: a method of a namespace, or a query of the core or of a plugin. */
export type Job =
  | { readonly kind: "method"; readonly method: string; readonly params: readonly unknown[] }
  | { readonly kind: "query"; readonly query: string; readonly params: readonly unknown[] };

/** Who waits for a job. */
export interface OffloadCaller {
  /** Ends the job. */
  readonly closed: AbortSignal;
  /** Where the caller is, as far as that is known. */
  readonly address?: string | undefined;
  /** Ends the connection of a caller that does not read what is streamed to it. */
  readonly disconnect?: (() => void) | undefined;
}

/** A job, and how it may run. */
export interface OffloadOrder {
  readonly job: Job;
  /** The plugin that it belongs to; every thread has those of the core. */
  readonly plugin?: string | undefined;
  /** Whose it is: connections are served in turn. */
  readonly client: object;
  /** Counted with the time it waits, once a thread is there that could run it. */
  readonly maxMs: number;
  /** It is known to take long, and returns to the event loop now and then: others can run beside it. */
  readonly isLong: boolean;
  /** It may begin on the main thread, where it costs least while it is short. */
  readonly mayBeginHere: boolean;
  /** Who waits for it; asked for only when it leaves the main thread, since most jobs do not. */
  caller(): OffloadCaller;
  /** The block that would come next, where the job asks for it. */
  readonly next?: (() => Promise<SealedHeader>) | undefined;
  /** Runs it on the main thread. */
  here(): unknown;
}

/** What another thread opens the chain of a node with, for reading. */
export interface ReaderSettings {
  /** The plugins it loads: drivers, engines, precompiles and the methods that run on it. */
  readonly modules: readonly { readonly name: string; readonly url: string }[];
  /** Registers hooks of the module loader first, where the program has some. */
  readonly preload: string | undefined;
  /** The values of all options, by key. */
  readonly options: ReadonlyMap<string, { readonly value: unknown; readonly isSet: boolean }>;
  readonly genesis: object;
  readonly origin: string;
  readonly storage: string;
  readonly folder: string;
}

/** What jobs are run for. */
export interface OffloadContext {
  /** `undefined` where another thread cannot read the chain: all jobs run on the main thread. */
  readonly reader: ReaderSettings | undefined;
  head(): SealedHeader;
  readonly log: Logger;
}

/** Decides where the jobs of a node run. */
export interface QueryOffload {
  /** Called all the time while a call runs on the main thread; throws to abort it. */
  readonly interrupt: () => void;
  /** The chain is open. */
  open(context: OffloadContext): void;
  /** Runs a job; `undefined` when the caller is to run it on the main thread. */
  run(order: OffloadOrder): Promise<unknown> | undefined;
  /** Ends all jobs, before the storage is closed that they read. */
  close(): Promise<void>;
}

/** Where jobs run that may take long; the main thread without any. One plugin at most. */
export const offloads = defineContributionPoint<() => QueryOffload>("query.offload", {
  summary: "Runs calls and traces elsewhere than on the main thread.",
  key: { label: "place", of: () => "offload" },
});
