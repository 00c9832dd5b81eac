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

/** What running code sees: handlers, `onStart`, service factories, tasks. */
export interface Runtime {
  readonly chain: Chain;
  /** The transaction pool. */
  readonly pool: Pool;
  /** Opens world states of the plugin's own, in its own tables. */
  readonly state: { open(place: PluginStatePlace): PluginState };
  /** Runs messages on states that the plugin holds. */
  readonly evm: Pick<BlockReader, "run">;
  /** Making blocks, to be stopped and started; `undefined` where this node makes none. */
  readonly production: BlockProduction | undefined;
  /** The operator's settings of block production. */
  readonly mining: MiningSettings;
  /** The operator's settings of the blocks that this node builds. */
  readonly building: BuildPolicy;
  /** Queries that may take long; they run on worker threads where there are any. */
  readonly query: Query & PluginQueryRunner;
  readonly network: Network;
  /** How far this node is behind its peers. */
  readonly sync: SyncStatus;
  /** The identity of this node; `undefined` where no key driver is loaded. */
  readonly nodeKey: NodeKey | undefined;
  /** Opens endpoints and describes what is registered. */
  readonly rpc: Rpc;
  /** The routes that plugins added, for listeners, which serve them from then on. */
  readonly http: RouteSource;
  /** What callers expect where clients and the specification differ. */
  readonly compatibility: Compatibility;
  /** The folder of this node's data; it may not be there while everything is in memory. */
  readonly dataPath: string;
  /** Opens a database of the plugin's own, in a folder of that name beside the chain's; the plugin closes it. */
  readonly openStore: (name: string) => Promise<KeyValueStore>;
  /** What this node calls itself: name, version, platform, runtime. */
  readonly clientVersion: string;
  /** The plugins that are loaded, by name. */
  readonly plugins: {
    names(): readonly string[];
    /** Lets a plugin read its files again; rejects with what went wrong. */
    reload(name: string): Promise<void>;
  };
  readonly health: { report(): Promise<HealthReport> };
  readonly metrics: { collect(): readonly MetricFamily[] };
  /** Levels of all loggers, to be changed while the node runs. */
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

/** The runtime plus the plugin's own dependencies, by the names it gave them. */
export type RuntimeWith<D extends Dependencies> = Runtime & Resolved<D>;

/** What an RPC handler receives: the same, for one caller. */
export type Call<D extends Dependencies = NoDependencies> = RuntimeWith<D> & {
  readonly client: RpcClient;
};

/** What a handler receives that may run on a thread: the chain, and what other plugins offer it. */
export type QueryCall<D extends Dependencies = NoDependencies> = Pick<
  Runtime,
  "compatibility" | "clock" | "log" | "signal"
> & { readonly chain: Omit<Chain, "writer"> } & Resolved<D> & {
    readonly client: Pick<RpcClient, "closed">;
  };
