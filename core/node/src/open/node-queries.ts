import { type Blockchain, coreQueries } from "@plinth/chain";
import { InvariantError, type PluginQuery, type QueryContext } from "@plinth/core";
import type { PluginQueries, PluginQueryRunner, QueryLimits } from "@plinth/core/plugin";
import type {
  Job,
  OffloadCaller,
  OffloadOrder,
  Query,
  QueryClient,
  QueryOffload,
} from "@plinth/core/query";
import type { MethodCall } from "../rpc/method-call.js";

/** The dependencies of queries. */
export interface NodeQueriesSettings {
  readonly blocks: Blockchain;
  /** Where they run; on the main thread if `undefined`. */
  readonly offload: QueryOffload | undefined;
  readonly callMs: number;
  readonly traceMs: number;
  readonly plugins: {
    readonly registered: PluginQueries;
    /** The context of a plugin's work on the main thread. */
    findCall(query: string): QueryContext;
  };
}

/** Runs long queries and methods: where the offload decides, otherwise on the main thread. */
export class NodeQueries {
  readonly #settings: NodeQueriesSettings;

  constructor(settings: NodeQueriesSettings) {
    this.#settings = settings;
  }

  /** The plugins' interface. */
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

  /** Runs a method elsewhere; `undefined` if it runs here. */
  offload(call: MethodCall): Promise<unknown> | undefined {
    const { method, isRewritten } = call.entry;
    const { offload, blocks, traceMs, callMs } = this.#settings;
    if (offload === undefined || method.offload === undefined || isRewritten) return undefined;
    const isLong = method.offload === "long";
    return offload.run(new MethodOrder(call, limit(isLong ? traceMs : callMs), blocks));
  }

  /** Ends offloaded work, before the storage is closed. */
  async close(): Promise<void> {
    await this.#settings.offload?.close();
  }

  async #run<T>(
    query: keyof typeof coreQueries,
    params: readonly unknown[],
    { connection, closed }: QueryClient,
    here: () => Promise<T>,
  ): Promise<T> {
    const { offload, blocks, callMs } = this.#settings;
    const run = async () => {
      const ran = offload?.run({
        job: { kind: "query", query, params },
        client: connection ?? closed,
        caller: () => ({ closed }),
        maxMs: limit(callMs),
        isLong: false,
        mayBeginHere: true,
        here,
      });
      return ran === undefined ? here() : ((await ran) as T);
    };
    return blocks.isPartial ? blocks.resolveMissing(run) : run();
  }

  /** Work of a plugin: never here if it can run elsewhere, since it may take any time. */
  async #runOfPlugin<P, R>(
    query: PluginQuery<P, R>,
    params: P,
    { maxMs, closed, owner }: QueryLimits,
  ): Promise<R> {
    const { findCall, registered } = this.#settings.plugins;
    const here = () => query.run(params, { ...findCall(query.name), signal: closed });
    const entry = registered.find(query.name);
    if (entry === undefined) throw new InvariantError(`the query ${query.name} is not registered`);
    const ran = this.#settings.offload?.run({
      job: { kind: "query", query: query.name, params: [params] },
      plugin: entry.plugin,
      client: owner,
      caller: () => ({ closed }),
      maxMs: limit(maxMs),
      isLong: false,
      mayBeginHere: false,
      here,
    });
    return ran === undefined ? here() : ((await ran) as R);
  }
}

/** A method that can run elsewhere. */
class MethodOrder implements OffloadOrder {
  readonly plugin: string;
  readonly client: object;
  readonly maxMs: number;
  readonly isLong: boolean;
  readonly #call: MethodCall;
  readonly #blocks: Blockchain;

  constructor(call: MethodCall, maxMs: number, blocks: Blockchain) {
    this.plugin = call.entry.plugin;
    this.client = call.client.connection ?? call.client;
    this.maxMs = maxMs;
    this.isLong = call.entry.method.offload === "long";
    this.#call = call;
    this.#blocks = blocks;
  }

  get job(): Job {
    const { entry, params } = this.#call;
    return { kind: "method", method: entry.fullName, params };
  }

  get mayBeginHere(): boolean {
    return !this.isLong;
  }

  caller(): OffloadCaller {
    const { client } = this.#call;
    return {
      closed: client.closed,
      address: client.remoteAddress,
      disconnect: () => client.budget?.disconnect(),
    };
  }

  get next(): OffloadOrder["next"] {
    return this.#call.params.includes("pending") ? () => this.#blocks.next() : undefined;
  }

  here(): unknown {
    return this.#call.handle();
  }
}

/** Maximum delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

function limit(ms: number): number {
  return ms > 0 ? ms : LONGEST_MS;
}
