import type { BlockReader } from "../chain/block-reader.js";
import type { Chain } from "../chain/chain.js";
import type { PluginState, PluginStatePlace } from "../chain/plugin-state.js";
import type { BlockProduction, BuildPolicy, MiningSettings } from "../consensus/production.js";
import type { Clock } from "../kernel/clock.js";
import type { Logger, Logs } from "../kernel/logs/log.js";
import type { Tasks } from "../kernel/plugins/tasks.js";
import type { Dependencies, Resolved } from "../kernel/services.js";
import type { HealthReport } from "../kernel/watch/health.js";
import type { MetricFamily } from "../kernel/watch/metrics.js";
import type { Network } from "../network/network.js";
import type { NodeKey } from "../network/node-key.js";
import type { SyncStatus } from "../network/sync-status.js";
import type { Pool } from "../pool/pool.js";
import type { Query } from "../query/query.js";
import type { RpcClient } from "../rpc/client.js";
import type { Compatibility } from "../rpc/compatibility.js";
import type { RouteSource } from "../rpc/http-route.js";
import type { Rpc } from "../rpc/rpc.js";
import type { KeyValueStore } from "../storage/store.js";
import type { PluginQueryRunner } from "./plugin-query.js";

/** The runtime of a plugin: for handlers, `onStart`, service factories, tasks. */
export interface Runtime {
  readonly chain: Chain;
  /** The transaction pool. */
  readonly pool: Pool;
  /** Opens the plugin's own world states, in its own tables. */
  readonly state: { open(place: PluginStatePlace): PluginState };
  /** Runs messages on states of the plugin. */
  readonly evm: Pick<BlockReader, "run">;
  /**
   * Block production, which can be stopped and started; `undefined` if this node produces no
   * blocks.
   */
  readonly production: BlockProduction | undefined;
  /** The operator's settings of block production. */
  readonly mining: MiningSettings;
  /** The operator's settings of blocks built by this node. */
  readonly building: BuildPolicy;
  /** Queries that may take long; they run on worker threads if there are any. */
  readonly query: Query & PluginQueryRunner;
  readonly network: Network;
  /** How far this node is behind its peers. */
  readonly sync: SyncStatus;
  /** The identity of this node; `undefined` if no key driver is loaded. */
  readonly nodeKey: NodeKey | undefined;
  /** Opens endpoints and describes registered methods. */
  readonly rpc: Rpc;
  /** The routes added by plugins, for listeners, which serve them from then on. */
  readonly http: RouteSource;
  /** What callers expect where clients and the specification differ. */
  readonly compatibility: Compatibility;
  /** The data folder of this node; it may not exist while everything is in memory. */
  readonly dataPath: string;
  /** The database of the chain. */
  readonly storage: {
    /** Estimates the bytes of every table; empty if the driver has no estimate. */
    tableSizes(): Promise<ReadonlyMap<string, number>>;
  };
  /**
   * Opens the plugin's own database, in a folder of that name beside the chain's; the plugin closes
   * it.
   */
  readonly openStore: (name: string) => Promise<KeyValueStore>;
  /** The client version of this node: name, version, platform, runtime. */
  readonly clientVersion: string;
  /** The loaded plugins, by name. */
  readonly plugins: {
    names(): readonly string[];
    /** Reloads the files of a plugin; rejects with the error. */
    reload(name: string): Promise<void>;
  };
  readonly health: { report(): Promise<HealthReport> };
  readonly metrics: { collect(): readonly MetricFamily[] };
  /** Levels of all loggers, which can change at runtime. */
  readonly logs: Pick<Logs, "setLevel" | "levelOf" | "names">;
  readonly log: Logger;
  readonly clock: Clock;
  /** Aborts when the plugin is disabled or the node stops. */
  readonly signal: AbortSignal;
  /** Background work that is reported when it fails and stopped with the plugin. */
  readonly tasks: Tasks;
}

// biome-ignore lint/complexity/noBannedTypes: no dependencies is the empty object, nothing else
type NoDependencies = {};

/** The runtime plus the plugin's own dependencies, under its names for them. */
export type RuntimeWith<D extends Dependencies> = Runtime & Resolved<D>;

/**
 * The argument of an RPC handler: the same, for one caller. Its signal also aborts when that caller
 * leaves: work that outlives the call uses the signal of its task.
 */
export type Call<D extends Dependencies = NoDependencies> = RuntimeWith<D> & {
  readonly client: RpcClient;
};

/** The argument of a handler that may run on a thread: the chain, and services of other plugins. */
export type QueryCall<D extends Dependencies = NoDependencies> = Pick<
  Runtime,
  "compatibility" | "clock" | "log" | "signal"
> & { readonly chain: Omit<Chain, "writer"> } & Resolved<D> & {
    readonly client: Pick<RpcClient, "closed">;
  };
