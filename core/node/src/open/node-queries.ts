import { availableParallelism } from "node:os";
import type { Blockchain } from "@plinth/chain";
import { coreQueries } from "@plinth/chain";
import type { Logger, PluginQuery, QueryContext } from "@plinth/core";
import { InvariantError, RpcError } from "@plinth/core";
import { RunTooLarge, RunTooLong } from "@plinth/core/evm";
import type { PluginQueries, PluginQueryRunner, QueryLimits } from "@plinth/core/plugin";
import type { Query, QueryClient } from "@plinth/core/query";
import { RawResult, StreamResult } from "@plinth/core/rpc";
import type { OffloadedCall } from "../rpc/dispatcher.js";
import type { Job, ThreadSettings } from "../worker/messages.js";
import type { QueryAnswer } from "../worker/pending-query.js";
import { QueryThreads, ThreadsUnusable } from "../worker/query-threads.js";
import type { MainTurn, ShortCall } from "./main-turn.js";

/** What queries are run with. */
export interface NodeQueriesSettings {
  readonly blocks: Blockchain;
  /** What threads are made with; none are when left out. */
  readonly thread: Omit<ThreadSettings, "flags"> | undefined;
  /** The operator's number of threads. */
  readonly threads: number | undefined;
  /** Where short calls run. */
  readonly turn: MainTurn;
  readonly callMs: number;
  readonly traceMs: number;
  readonly plugins: {
    readonly registered: PluginQueries;
    /** What the work of a plugin sees on the main thread. */
    findCall(query: string): QueryContext;
  };
  readonly log: Logger;
}

/** Clients whose calls take less are served on the main thread. */
const SHORT_MS = 3;
/** So are those whose calls take no longer than the way to a thread, up to this. */
const LONGEST_SHORT_MS = 10;
/** A call must take so much longer than the way to a thread to be worth it. */
const WORTH_THE_WAY = 2;
const FEWEST_THREADS = 2;
const MOST_THREADS = 4;

/** Runs queries and methods on threads where that is possible, and here where it is not. */
export class NodeQueries {
  readonly #settings: NodeQueriesSettings;
  readonly #threads: QueryThreads | undefined;
  /** The plugins that threads load. */
  readonly #loaded: ReadonlySet<string>;

  constructor(settings: NodeQueriesSettings) {
    const { thread, blocks, log } = settings;
    const count = settings.threads ?? usualThreads();
    this.#settings = settings;
    this.#threads =
      thread === undefined || count === 0
        ? undefined
        : new QueryThreads({ thread, count, log, head: () => blocks.head() });
    this.#loaded = new Set(thread?.modules.map(({ name }) => name));
  }

  /** The face that plugins see. */
  get query(): Query & PluginQueryRunner {
    const { blocks } = this.#settings;
    return {
      call: (request, settings, client) =>
        this.#run("call", [request, settings], client, () =>
          coreQueries.call(blocks, request, settings),
        ),
      estimateGas: (request, settings, client) =>
        this.#run("estimateGas", [request, settings], client, () =>
          coreQueries.estimateGas(blocks, request, settings),
        ),
      run: (query, params, limits) => this.#runOfPlugin(query, params, limits),
    };
  }

  /** Runs a method on a thread; `undefined` when it runs here. */
  offload({ entry, params, client, handle }: OffloadedCall): Promise<unknown> | undefined {
    const { method, fullName, plugin, isRewritten } = entry;
    if (method.offload === undefined || isRewritten || !this.#loaded.has(plugin)) return undefined;
    const threads = this.#usableThreads();
    if (threads === undefined) return undefined;
    const isLong = method.offload === "long";
    const asksForNext = params.includes("pending");
    const order = async () => ({
      job: { kind: "method", method: fullName, params } as const,
      client: client.connection ?? client,
      closed: client.closed,
      maxMs: limit(isLong ? this.#settings.traceMs : this.#settings.callMs),
      isLong,
      address: client.remoteAddress,
      disconnect: () => client.budget?.disconnect(),
      next: asksForNext ? await this.#settings.blocks.next() : undefined,
    });
    const away = async () => {
      try {
        return toResult(await threads.run(await order()));
      } catch (error) {
        if (error instanceof ThreadsUnusable) return handle();
        throw toRpcError(error);
      }
    };
    return isLong ? away() : this.#runShort({ here: handle, away }, client.connection ?? client);
  }

  /** Whether a thread has nothing to do. */
  get hasIdleThread(): boolean {
    return this.#threads?.isIdle === true;
  }

  /** Ends the threads, before the storage is closed that they read. */
  async close(): Promise<void> {
    await this.#threads?.close();
  }

  #usableThreads(): QueryThreads | undefined {
    this.#threads?.retryStart();
    return this.#threads?.isUsable === true ? this.#threads : undefined;
  }

  async #run<T>(
    query: keyof typeof coreQueries,
    params: readonly unknown[],
    { connection, closed }: QueryClient,
    here: () => Promise<T>,
  ): Promise<T> {
    const threads = this.#usableThreads();
    if (threads === undefined) return here();
    const job: Job = { kind: "query", query, params };
    const maxMs = limit(this.#settings.callMs);
    const client = connection ?? closed;
    const away = async () => {
      try {
        return toResult(await threads.run({ job, client, closed, maxMs, isLong: false }));
      } catch (error) {
        if (error instanceof ThreadsUnusable) return here();
        throw error;
      }
    };
    return (await this.#runShort({ here, away }, client)) as T;
  }

  /** Work of a plugin: never here while there are threads, since it may take any time. */
  async #runOfPlugin<P, R>(
    query: PluginQuery<P, R>,
    params: P,
    { maxMs, closed, owner }: QueryLimits,
  ): Promise<R> {
    const { findCall, registered } = this.#settings.plugins;
    const here = () => query.run(params, { ...findCall(query.name), signal: closed });
    const entry = registered.find(query.name);
    if (entry === undefined) throw new InvariantError(`the query ${query.name} is not registered`);
    const threads = this.#loaded.has(entry.plugin) ? this.#usableThreads() : undefined;
    if (threads === undefined) return here();
    const job: Job = { kind: "query", query: query.name, params: [params] };
    try {
      const order = { job, client: owner, closed, maxMs: limit(maxMs), isLong: false };
      return toResult(await threads.run(order)) as R;
    } catch (error) {
      if (error instanceof ThreadsUnusable) return here();
      throw error;
    }
  }

  /** A client whose calls are known to be short is served here, without the way to a thread and back. */
  #runShort({ here, away }: Pick<ShortCall, "here" | "away">, client: object): Promise<unknown> {
    const threads = this.#threads;
    const expectedMs = threads?.expectedMs(client) ?? 0;
    if (threads === undefined || expectedMs > shortMs(threads.wayMs)) return away();
    return this.#settings.turn.run({
      here,
      away,
      took: (ms) => threads.note(client, ms),
      isWorthAThread: expectedMs > WORTH_THE_WAY * threads.wayMs,
    });
  }
}

/** A call that takes no longer than the way to a thread gains nothing there, on a busy machine above all. */
function shortMs(wayMs: number): number {
  return Math.max(SHORT_MS, Math.min(wayMs, LONGEST_SHORT_MS));
}

function toResult(answer: QueryAnswer): unknown {
  if (answer.kind === "stream") return new StreamResult(answer.pieces);
  if (answer.kind === "value") return answer.value;
  return new RawResult(answer.json);
}

/** The error for a caller whose call was aborted. */
function toRpcError(error: unknown): unknown {
  if (error instanceof RunTooLarge)
    return new RpcError(-32000, `execution aborted: ${error.message}`);
  if (!(error instanceof RunTooLong)) return error;
  return new RpcError(-32000, `execution aborted (timeout = ${error.maxMs / 1000}s)`);
}

/** A timer takes no more. */
const LONGEST_MS = 2 ** 31 - 1;

function limit(ms: number): number {
  return ms > 0 ? ms : LONGEST_MS;
}

function usualThreads(): number {
  return Math.min(Math.max(availableParallelism() - 1, FEWEST_THREADS), MOST_THREADS);
}
