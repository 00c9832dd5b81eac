import type { Command } from "../cli/command.js";
import type { EngineDefinition } from "../consensus/engine.js";
import type { EvmDriver } from "../evm/evm.js";
import type { ContributionPoint } from "../kernel/contributions.js";
import type { Logger } from "../kernel/logs/log.js";
import type { Options, OptionValues } from "../kernel/options/options.js";
import type { Dependencies, Service, Unavailable } from "../kernel/services.js";
import type { HealthCheck } from "../kernel/watch/health.js";
import type { PluginMetrics } from "../kernel/watch/metrics.js";
import type { NetworkDriver } from "../network/driver.js";
import type { NodeKeyDriver } from "../network/node-key.js";
import type { SubProtocol } from "../network/sub-protocol.js";
import type { Exposure } from "../rpc/endpoint.js";
import type { HttpRoute, OwnPort } from "../rpc/http-route.js";
import type { Methods } from "../rpc/method.js";
import type { PluginTable, PluginTableKind } from "../storage/plugin-table.js";
import type { StorageDriver } from "../storage/store.js";
import type { NodeHooks } from "./plugin-hooks.js";
import type { PluginQuery } from "./plugin-query.js";
import type { Call, RuntimeWith } from "./runtime.js";

type Awaitable<T> = T | Promise<T>;

/** The node as `setup` sees it: everything can be registered, nothing that runs can be reached. */
export interface PluginNode<O extends Options, D extends Dependencies> {
  readonly config: OptionValues<O>;
  readonly log: Logger;
  readonly metrics: PluginMetrics;
  /**
   * Taps receive the event and the runtime; those called before the node is open, only the event.
   */
  readonly hooks: NodeHooks<RuntimeWith<D>>;

  readonly rpc: {
    /**
     * Adds methods under a namespace; listeners serve it if it is enabled, unless declared
     * otherwise.
     */
    namespace(name: string, methods: Methods<Call<D>>, exposure?: Exposure): void;
  };
  readonly http: {
    /**
     * Adds a route to the HTTP JSON-RPC listener, or to the plugin's own port; the rules for hosts,
     * origins, sizes and timeouts are those of that listener.
     */
    route(route: HttpRoute<RuntimeWith<D>>, port?: OwnPort): void;
  };
  readonly cli: { command<F extends Options>(command: Command<F>): void };
  readonly storage: {
    driver(driver: StorageDriver): void;
    /**
     * The plugin's own table: read it once the node is open, write it in `chain.commit` or between
     * blocks.
     */
    table(name: string, kind?: PluginTableKind): PluginTable;
  };
  readonly keys: { driver(driver: NodeKeyDriver): void };
  readonly network: {
    driver(driver: NetworkDriver): void;
    /** Adds one version of a wire protocol; it is announced to every peer. */
    protocol(protocol: SubProtocol<RuntimeWith<D>>): void;
  };
  readonly consensus: {
    engine<S, T extends { readonly block: number } = never>(
      definition: EngineDefinition<S, T>,
    ): void;
  };
  readonly evm: { driver(driver: EvmDriver): void };
  /** Registers work that `runtime.query.run` runs on a thread. */
  query<P, R>(query: PluginQuery<P, R>): void;
  readonly health: { check(name: string, check: HealthCheck<RuntimeWith<D>>): void };
  readonly services: {
    provide<T>(
      service: Service<T>,
      create: (runtime: RuntimeWith<D>) => Awaitable<T | Unavailable>,
    ): void;
  };
  contribute<T>(point: ContributionPoint<T>, item: T): void;

  onStart(start: (runtime: RuntimeWith<D>) => Awaitable<void>): void;
  onStop(stop: () => Awaitable<void>): void;
  /** Called when the operator requests a reload of the plugin's files. */
  onReload(reload: () => Awaitable<void>): void;
}
