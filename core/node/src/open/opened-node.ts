import type { Chain, Clock, Logger } from "@plinth/core";
import { InvariantError, messageOf } from "@plinth/core";
import type { SenderRecovery } from "@plinth/core/blocks";
import type { ChainJoin } from "@plinth/core/chain";
import type { Logs, NamedHealth } from "@plinth/core/kernel";
import { subProtocols } from "@plinth/core/network";
import { NodeNetwork, type UsedHooks } from "../network/node-network.js";
import { coreOptions } from "../plugin/options.js";
import type { PreparedNode } from "../plugin/prepare.js";
import type { Registries } from "../plugin/registries.js";
import { Production } from "../produce/production.js";
import type { ParsedGenesis } from "./find-genesis.js";
import type { Ledger } from "./ledger.js";
import { NodeOffload } from "./node-offload.js";
import { NodeQueries } from "./node-queries.js";
import { openLedger } from "./open-ledger.js";
import { openJoinNetwork, openNetwork } from "./open-network.js";
import { type NodeResources, openResources } from "./open-resources.js";
import { findReaderSettings, type PluginModules } from "./reader-settings.js";
import { ShutdownMarker } from "./shutdown-marker.js";

/** The inputs to open a node. */
export interface OpenSettings {
  readonly prepared: PreparedNode;
  readonly registries: Registries;
  readonly logs: Logs;
  readonly log: Logger;
  readonly clock: Clock;
  /** The JSON of a genesis file, instead of the file set by an option. */
  readonly genesis: unknown;
  readonly parsedGenesis: ParsedGenesis | undefined;
  /** Where worker threads find the plugins; none are started by default. */
  readonly threads: PluginModules | undefined;
  readonly recovery: SenderRecovery;
  readonly clientVersion: string;
  /**
   * For commands: without the key, the persisted pool, the network and the mark of a running node.
   */
  readonly isOffline: boolean;
  /** For commands: fills an empty database. */
  readonly join: ChainJoin | undefined;
  /** Ends long work on the database, which a later start continues. */
  readonly signal: AbortSignal;
  /** Waits for the taps of a hook, up to a limit. */
  readonly inTime: (hook: string, call: Promise<void>) => Promise<void>;
  /** Notified when block production has ended permanently. */
  readonly productionFailed: (error: unknown) => void;
}

/** Everything that exists between opening and closing a node. */
export class OpenedNode {
  readonly resources: NodeResources;
  readonly ledger: Ledger;
  readonly queries: NodeQueries;
  readonly network: NodeNetwork;
  /** The chain as plugins see it. */
  readonly chain: Chain;
  /** `undefined` if this node produces no blocks. */
  readonly production: Production | undefined;
  readonly #settings: OpenSettings;
  #marker: ShutdownMarker | undefined;

  private constructor(
    settings: OpenSettings,
    parts: Pick<OpenedNode, "resources" | "ledger"> & {
      readonly offload: NodeOffload | undefined;
    },
  ) {
    const { resources, ledger } = parts;
    this.#settings = settings;
    this.resources = resources;
    this.ledger = ledger;
    this.queries = createQueries(settings, parts);
    this.network = createNetwork(settings, resources);
    const { genesis } = resources;
    const { blocks } = ledger;
    this.chain = Object.freeze({
      chainId: genesis.chainId,
      genesis: genesis.json,
      blocks,
      writer: blocks,
    });
    this.production = ledger.canProduce ? createProduction(settings, ledger) : undefined;
  }

  /** Opens storage, key, chain and pool; if anything fails, all of it is closed again. */
  static async open(settings: OpenSettings): Promise<OpenedNode> {
    const { prepared, registries, genesis, parsedGenesis, isOffline, log, recovery, clock } =
      settings;
    const { config } = prepared;
    const { contributions, hooks } = registries;
    const resources = await openResources({
      config,
      contributions,
      hooks,
      genesis,
      parsedGenesis,
      isOffline,
      log,
      inTime: settings.inTime,
    });
    registries.storageOpened(resources.store);
    let ledger: Ledger | undefined;
    let offload: NodeOffload | undefined;
    try {
      offload = NodeOffload.create({ contributions, inUse: resources.inUse, clock, log });
      ledger = await openLedger({
        resources,
        contributions,
        hooks,
        recovery,
        clock,
        config,
        log,
        isOffline,
        join: settings.join,
        networkId: networkIdOf(settings, resources),
        openJoinNetwork: (plugin, protocols) =>
          openJoinNetwork(
            {
              ...settings,
              network: createNetwork(settings, resources, withoutRuntime(hooks.network)),
              resources,
              config,
            },
            plugin,
            protocols,
          ),
        signal: settings.signal,
        inTime: settings.inTime,
        interruptCall: offload?.interrupt,
      });
      const opened = new OpenedNode(settings, { resources, ledger, offload });
      if (!isOffline) await opened.#mark();
      return opened;
    } catch (error) {
      await offload?.close();
      await ledger?.close();
      await resources.store.close();
      throw error;
    }
  }

  /**
   * Loads the pool and opens the network driver: both call hooks, whose taps need their runtimes.
   */
  async complete(): Promise<void> {
    const { isOffline, prepared, registries, clientVersion, logs } = this.#settings;
    await this.ledger.pool.load();
    if (isOffline) return;
    const { network, resources } = this;
    const { config } = prepared;
    await openNetwork({ network, resources, config, registries, clientVersion, logs });
  }

  health(): readonly NamedHealth[] {
    return [...this.ledger.health(), ...(this.production?.health() ?? [])];
  }

  /**
   * Closes pool and storage; throws if the storage cannot be closed. After a fault the mark stays.
   */
  async close({ isClean }: { readonly isClean: boolean }): Promise<void> {
    try {
      await this.ledger.close();
      if (isClean) await this.#marker?.clear();
    } catch (error) {
      this.#settings.log.error(`the storage failed while stopping: ${messageOf(error)}`, { error });
    }
    await this.resources.store.close();
  }

  async #mark(): Promise<void> {
    const marker = new ShutdownMarker(this.resources.store);
    await marker.set(this.ledger.blocks, this.#settings.log);
    this.#marker = marker;
  }
}

function createQueries(
  { prepared, registries, threads, log }: OpenSettings,
  {
    resources,
    ledger: { blocks, enginePlugins },
    offload,
  }: Pick<OpenedNode, "resources" | "ledger"> & { readonly offload: NodeOffload | undefined },
): NodeQueries {
  const options = prepared.config.valuesOf(coreOptions);
  const reader =
    threads &&
    findReaderSettings({ prepared, registries, resources, enginePlugins, available: threads });
  offload?.open({ reader, head: () => blocks.head(), log });
  return new NodeQueries({
    blocks,
    offload,
    callMs: options.rpcCallTimeoutSeconds * 1000,
    traceMs: options.rpcTraceTimeoutSeconds * 1000,
    plugins: {
      registered: registries.queries,
      findCall(query) {
        const runtime = registries.find(registries.queries.find(query)?.plugin ?? "")?.runtime;
        if (runtime === undefined)
          throw new InvariantError(`${query} ran before the node was open`);
        return runtime;
      },
    },
  });
}

function networkIdOf(
  { prepared }: OpenSettings,
  { networkId, genesis }: Pick<NodeResources, "networkId" | "genesis">,
): bigint {
  const { networkId: wanted } = prepared.config.valuesOf(coreOptions);
  return BigInt(wanted ?? networkId ?? genesis.chainId ?? 1n);
}

/** Before plugins have runtimes only those are asked that decide about peers. */
function withoutRuntime({ discover, connect }: UsedHooks): UsedHooks {
  const unused = { call: () => undefined, isUsed: () => false };
  return { discover, connect, message: unused, connected: unused, disconnected: unused };
}

function createNetwork(
  settings: OpenSettings,
  resources: NodeResources,
  hooks: UsedHooks = settings.registries.hooks.network,
): NodeNetwork {
  const { registries, clock, logs } = settings;
  return new NodeNetwork({
    id: networkIdOf(settings, resources),
    publicKey: resources.nodeKey?.publicKey,
    protocols: registries.contributions
      .list(subProtocols)
      .map(({ name, version }) => ({ name, version })),
    hooks,
    clock,
    log: logs.for("network"),
  });
}

function createProduction(
  { clock, log, productionFailed }: OpenSettings,
  ledger: Ledger,
): Production {
  const production = new Production({
    produce: (signal) => ledger.producer.produce(signal, () => production.blockMade()),
    clock,
    log,
    failed: productionFailed,
  });
  return production;
}
