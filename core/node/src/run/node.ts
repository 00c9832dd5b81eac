import type { Blockchain } from "@plinth/chain";
import { PluginStates } from "@plinth/chain";
import type {
  Clock,
  Compatibility,
  ContributionPoint,
  Logger,
  Network,
  OptionValues,
  Pool,
  Runtime,
} from "@plinth/core";
import { messageOf, PlinthError } from "@plinth/core";
import { SenderRecovery } from "@plinth/core/blocks";
import type { ChainJoin, StoredChain } from "@plinth/core/chain";
import type { AnyCommand } from "@plinth/core/cli";
import type { GenesisFinding } from "@plinth/core/consensus";
import type { HealthReport, Logs, PluginInstance, TaskFailure } from "@plinth/core/kernel";
import {
  chooseDriver,
  coreVersion,
  type Driver,
  type DriverPoint,
  formatClientVersion,
  type Phase,
  PhaseMachine,
  PluginError,
  verifyCanDisable,
  within,
} from "@plinth/core/kernel";
import type { NodeKey } from "@plinth/core/network";
import { SyncStatus } from "@plinth/core/network";
import type { BoundRoute, Rpc } from "@plinth/core/rpc";
import { COMPATIBILITIES } from "@plinth/core/rpc";
import type { ParsedGenesis } from "../open/find-genesis.js";
import { findStoredChain } from "../open/find-stored-chain.js";
import { openInstance, type SharedRuntime } from "../open/open-instance.js";
import { OpenedNode, type OpenSettings } from "../open/opened-node.js";
import type { PluginModules } from "../open/reader-settings.js";
import { createCalls } from "../plugin/calls.js";
import { checkGenesis } from "../plugin/check-genesis.js";
import { coreOptions } from "../plugin/options.js";
import { PHASE_LIMIT_MS } from "../plugin/phase-limit.js";
import { CORE, type PreparedNode } from "../plugin/prepare.js";
import { Registries } from "../plugin/registries.js";
import { withoutHint } from "../plugin/without-hint.js";
import { Dispatcher } from "../rpc/dispatcher.js";
import { reportHealth } from "./report-health.js";
import { createRpc } from "./rpc.js";
import { startInstance, stopInstance } from "./run-instance.js";
import { StallLog } from "./stall-log.js";
import { awaitProduction, stopNetwork } from "./stop-parts.js";
import { survivesUncaught, type UncaughtError } from "./uncaught-error.js";
import { Watchdog } from "./watchdog.js";

/** The inputs of a node besides its configuration. */
export interface NodeContext {
  readonly logs: Logs;
  readonly clock: Clock;
  /** The JSON of a genesis file, for programs without one on disk. */
  readonly genesis?: unknown;
  /** For programs that have already read the genesis file. */
  readonly parsedGenesis?: ParsedGenesis;
  /** Where threads find the plugins; without it everything runs on the main thread. */
  readonly threads?: PluginModules;
}

/** Why a node ended; with an error unless it was asked to stop. */
export interface NodeEnd {
  readonly reason: string;
  readonly error?: unknown;
}

interface OpenRequest {
  readonly isOffline?: boolean;
  readonly join?: ChainJoin | undefined;
  readonly signal?: AbortSignal;
}

type Instance = PluginInstance<Runtime>;
type CoreConfig = OptionValues<typeof coreOptions>;

/**
 * A node: registered plugins, and what they share while they run.
 *
 * It is created registered, then opened, started and stopped, each once and in this order.
 */
export class Node {
  readonly prepared: PreparedNode;
  readonly version: string;
  readonly clientVersion: string;
  readonly rpc: Rpc;
  /** Resolves when the node has stopped, for whatever reason. */
  readonly ended: Promise<NodeEnd>;
  readonly #context: NodeContext;
  readonly #registries: Registries;
  readonly #config: CoreConfig;
  readonly #compatibility: Compatibility;
  readonly #log: Logger;
  readonly #phase = new PhaseMachine();
  readonly #started: Instance[] = [];
  readonly #states = new PluginStates();
  readonly #recovery: SenderRecovery;
  readonly #watchdog: Watchdog;
  readonly #stallLog: StallLog;
  #opened: OpenedNode | undefined;
  readonly #sync = new SyncStatus((progress) =>
    this.#registries.hooks.sync.progress.call(progress),
  );
  /** Ends long work of the start, such as a conversion of the database. */
  readonly #stopRequest = new AbortController();
  /** The starting step in progress. */
  #underWay: Promise<void> | undefined;
  #stopping: { readonly end: NodeEnd; readonly done: Promise<void> } | undefined;
  #end: (end: NodeEnd) => void = () => {};

  private constructor(prepared: PreparedNode, context: NodeContext) {
    this.prepared = prepared;
    this.#context = context;
    this.#config = prepared.config.valuesOf(coreOptions);
    this.#compatibility = COMPATIBILITIES[this.#config.rpcCompatibility];
    this.#log = context.logs.for(CORE);
    this.version = coreVersion();
    this.clientVersion = formatClientVersion(this.version, this.#config.identity);
    this.#recovery = new SenderRecovery((error) =>
      this.#log.warn(`recovering senders on the main thread: ${messageOf(error)}`, { error }),
    );
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#phase.advance("configured");
    this.#watchdog = new Watchdog({ clock: context.clock, log: this.#log });
    this.#stallLog = new StallLog({
      ...{ clock: context.clock, log: this.#log },
      isSyncing: () => this.#sync.isSyncing,
      report: () => this.health(),
    });
    this.#registries = new Registries({
      prepared,
      logs: context.logs,
      tapWatch: this.#watchdog.taps,
      tapFailed: ({ plugin, hook, error, count }) =>
        this.#log.error(`${plugin} failed in ${hook}: ${messageOf(error)}`, { count, error }),
      taskFailed: (instance, failure) => this.#taskFailed(instance, failure),
    });
    const { namespaces, hooks } = this.#registries;
    const callFor = createCalls((plugin) => this.#registries.find(plugin));
    const log = context.logs.for("rpc");
    const compatibility = this.#compatibility;
    const dispatcher = new Dispatcher({
      namespaces,
      hooks: hooks.rpc,
      callFor,
      log,
      compatibility,
      verifiesResults: this.#config.XverifyResults,
      offload: (call) => this.#opened?.queries.offload(call),
      partialChain: () => {
        const blocks = this.#opened?.chain.blocks;
        return blocks?.isPartial ? blocks : undefined;
      },
    });
    this.rpc = createRpc({ namespaces, dispatcher, mode: compatibility.mode });
  }

  /** Runs `setup` of every plugin and seals the registries. */
  static async register(prepared: PreparedNode, context: NodeContext): Promise<Node> {
    const node = new Node(prepared, context);
    await node.#inTime("lifecycle.registered", node.#registries.seal());
    node.#phase.advance("registered");
    return node;
  }

  /** The contributions of plugins to a point. */
  contributions<T>(point: ContributionPoint<T>): readonly T[] {
    return this.#registries.contributions.list(point);
  }

  /**
   * The findings of the core and of plugins about the JSON of a genesis file; nothing is opened.
   */
  checkGenesis(json: unknown, origin: string): Promise<readonly GenesisFinding[]> {
    const { contributions } = this.#registries;
    return checkGenesis(json, { origin, contributions, clock: this.#context.clock });
  }

  /** The subcommands of plugins. */
  commands(): readonly { readonly plugin: string; readonly item: AnyCommand }[] {
    return this.#registries.commands();
  }

  /** The hook called before a subcommand runs. */
  get beforeCommand() {
    return this.#registries.hooks.cli.beforeRun;
  }

  /** The hooks with their documentation. */
  get hooks() {
    return this.#registries.hooks;
  }

  /** The driver selected by an option. */
  driver<T extends Driver>(point: DriverPoint<T>, name: string): T {
    return chooseDriver(this.#registries.contributions, point, name).driver;
  }

  /** All registered methods. */
  methods() {
    return this.#registries.namespaces.all();
  }

  /** All HTTP routes added by plugins. */
  routes(): readonly BoundRoute[] {
    return this.#registries.routes.all();
  }

  /** The identity of this node, once it is open and a key driver is loaded. */
  get nodeKey(): NodeKey | undefined {
    return this.#opened?.resources.nodeKey;
  }

  /** The blocks of the chain, once the node is open. */
  get blocks(): Blockchain {
    return this.#getOpened().ledger.blocks;
  }

  /** The connections of this node, once it is open. */
  get network(): Network | undefined {
    return this.#opened?.network;
  }

  /** The transaction pool, once the node is open. */
  get pool(): Pool {
    return this.#getOpened().ledger.pool;
  }

  #getOpened(): OpenedNode {
    if (this.#opened !== undefined) return this.#opened;
    throw new PlinthError("PHASE_WRONG", {
      message: `the chain can be used once the node is open; it is ${this.#phase.current}`,
    });
  }

  /**
   * Opens storage, keys, genesis and services; if anything fails, all of it is closed again.
   *
   * For commands (`isOffline`) without the key, the persisted pool and the mark of a running node.
   * The signal ends long work on the database, which a later start continues.
   */
  async open({ isOffline = false, join, signal }: OpenRequest = {}): Promise<void> {
    this.#verifyNext("registered", "open");
    if (!isOffline) this.#warnOfNoEffect();
    const abort = () => this.#stopRequest.abort(stoppedWhileOpened());
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort, { once: true });
    await this.#orStop(this.#open({ isOffline, join }));
  }

  #warnOfNoEffect(): void {
    const { config, schema } = this.prepared;
    for (const { name, text, reason } of config.withoutEffect(schema)) {
      this.#log.warn(`--${name}=${text} has no effect: ${reason}`);
    }
  }

  /** The database of this node, for work on it while it is not open. */
  storedChain(): Promise<StoredChain> {
    const { config } = this.prepared;
    const { contributions, derivedTables, hooks } = this.#registries;
    const { genesis, parsedGenesis, clock } = this.#context;
    return findStoredChain({
      config,
      contributions,
      derivedTables,
      hooks,
      genesis,
      parsedGenesis,
      clock,
      log: this.#log,
      inTime: (hook, call) => this.#inTime(hook, call),
    });
  }

  /** Starts everything, opening it first if necessary. */
  async start(): Promise<void> {
    if (this.#phase.current === "registered") await this.open();
    this.#verifyNext("open", "start");
    await this.#orStop(this.#start());
  }

  /** Stops what was started, in reverse order, and closes the storage. Safe to call twice. */
  stop(reason = "asked to stop"): Promise<void> {
    return this.#halt({ reason });
  }

  /** Removes a plugin from the running node; throws if the node needs it. */
  async disable(name: string, reason = "asked to"): Promise<void> {
    this.#phase.verify("running", `disable ${name}`);
    verifyCanDisable(
      name,
      this.#registries.instances(),
      this.#opened?.resources.inUse ?? new Map(),
    );
    const instance = this.#registries.find(name);
    if (instance === undefined) return;
    instance.disable();
    this.#registries.hooks.lifecycle.pluginDisabled.call({ plugin: name, reason });
    if (this.#started.includes(instance))
      await stopInstance(instance, this.#context.clock, this.#log);
    this.#log.warn(`plugin ${name} was disabled: ${reason}`);
  }

  /** The health of all parts, and the worst of it. */
  health(): Promise<HealthReport> {
    const own = [...(this.#opened?.health() ?? []), ...this.#watchdog.health()];
    return reportHealth(this.#registries, { own, clock: this.#context.clock });
  }

  /** Reports an uncaught error; returns whether the node can continue. */
  survives(uncaught: UncaughtError): boolean {
    return survivesUncaught(uncaught, this.#registries.instances(), this.#log);
  }

  async #reload(name: string): Promise<void> {
    const instance = this.#registries.find(name);
    if (instance?.active !== true) return;
    for (const reload of instance.reloads) await reload();
    this.#log.info(`plugin ${name} reloaded its settings`);
  }

  /** Steps are taken one at a time, each in its phase, and none once the node is stopping. */
  #verifyNext(phase: Phase, attempt: string): void {
    this.#phase.verify(phase, attempt);
    if (this.#underWay === undefined && this.#stopping === undefined) return;
    const state = this.#stopping === undefined ? "starting" : "stopping";
    throw new PlinthError("PHASE_WRONG", {
      message: `cannot ${attempt}: the node is already ${state}`,
      phase,
    });
  }

  /** Waits for a starting step; if it fails, stops what was started. */
  async #orStop(step: Promise<void>): Promise<void> {
    this.#underWay = step;
    try {
      await step;
    } catch (error) {
      await this.#halt({ reason: "failed to start", error });
      throw error;
    } finally {
      this.#underWay = undefined;
    }
  }

  async #open({ isOffline, join }: Pick<OpenSettings, "isOffline" | "join">): Promise<void> {
    const { logs, clock, genesis, parsedGenesis, threads } = this.#context;
    const opened = await OpenedNode.open({
      prepared: this.prepared,
      registries: this.#registries,
      logs,
      log: this.#log,
      clock,
      genesis,
      parsedGenesis,
      threads,
      recovery: this.#recovery,
      clientVersion: this.clientVersion,
      isOffline,
      join,
      signal: this.#stopRequest.signal,
      inTime: (hook, call) => this.#inTime(hook, call),
      productionFailed: (error) => {
        this.#log.error(`block production failed: ${messageOf(error)}`, { error });
        void this.#halt({ reason: "block production failed", error });
      },
    });
    this.#opened = opened;
    const shared = this.#shared(opened);
    for (const instance of this.#registries.instances()) {
      await openInstance(instance, shared, this.#registries.services);
      if (instance.idle !== undefined)
        this.#log.debug(`${instance.name} is idle: ${instance.idle}`);
    }
    await opened.complete();
    await this.#inTime("lifecycle.opened", this.#registries.hooks.lifecycle.opened.call({}));
    this.#watchdog.start();
    this.#phase.advance("open");
  }

  /** The shared part of all plugins' runtimes. */
  #shared({ chain, network, ledger, queries, production, resources }: OpenedNode): SharedRuntime {
    const { logs, clock } = this.#context;
    return {
      chain,
      pool: ledger.pool,
      state: this.#states,
      evm: ledger.blocks,
      production,
      mining: ledger.mining,
      building: ledger.building,
      query: queries.query,
      network,
      sync: this.#sync,
      nodeKey: resources.nodeKey,
      rpc: this.rpc,
      http: this.#registries.routes,
      compatibility: this.#compatibility,
      dataPath: this.#config.dataPath,
      storage: {
        tableSizes: async () => (await resources.store.tableSizes?.()) ?? new Map(),
      },
      openStore: resources.openStore,
      clientVersion: this.clientVersion,
      plugins: {
        names: () => this.#registries.instances().map((loaded) => loaded.name),
        reload: (wanted) => this.#reload(wanted),
      },
      health: { report: () => this.health() },
      metrics: { collect: () => this.#registries.metrics.collect() },
      logs,
      clock,
    };
  }

  /** Throws if an open node could not start; nothing is started. */
  async verifyStart(): Promise<void> {
    await this.#inTime("lifecycle.starting", this.#registries.hooks.lifecycle.starting.call({}));
  }

  async #start(): Promise<void> {
    await this.verifyStart();
    for (const instance of this.#registries.instances()) {
      if (instance.idle !== undefined) continue;
      this.#started.push(instance);
      await startInstance(instance, this.#context.clock);
      this.#verifyNoFault();
    }
    await this.#inTime("lifecycle.ready", this.#registries.hooks.lifecycle.ready.call({}));
    for (const { plugin, method, path } of this.#registries.routes.unserved())
      this.#log.warn(`no listener serves ${method} ${path} of ${plugin}; enable HTTP to serve it`);
    await this.#inTime("network start", this.#opened?.network.start() ?? Promise.resolve());
    this.#phase.advance("running");
    if (this.#opened?.ledger.producesAtStart) this.#opened.production?.start();
    this.#stallLog.start();
  }

  /** Waits for the taps of a hook that the node cannot start without. */
  async #inTime(hook: string, call: Promise<void>): Promise<void> {
    if ((await within(this.#context.clock, PHASE_LIMIT_MS, call)).done) return;
    const slow = this.#watchdog.taps.slow().find((tap) => tap.hook === hook);
    const plugin = slow?.plugin ?? CORE;
    throw new PluginError("PLUGIN_TIMEOUT", {
      message: `${plugin} did not finish ${hook} within ${PHASE_LIMIT_MS / 1000} s`,
      plugin,
      hints: [withoutHint(plugin)],
    });
  }

  /** Aborts the start if an essential plugin has failed, before any listener binds. */
  #verifyNoFault(): void {
    const end = this.#stopping?.end;
    if (end !== undefined && "error" in end) throw end.error;
  }

  /** Stops once; the first call determines the reason. */
  #halt(end: NodeEnd): Promise<void> {
    this.#stopping ??= { end, done: this.#stop(end) };
    return this.#stopping.done;
  }

  async #stop(end: NodeEnd): Promise<void> {
    // A stop during the start waits for the step in progress, without its long work.
    this.#stopRequest.abort(stoppedWhileOpened());
    await this.#underWay?.catch(() => {});
    this.#phase.advance("stopped");
    this.#stallLog.stop();
    const produced = this.#opened?.production?.stop();
    // Callers get an error immediately, so that listeners need not wait for their responses.
    const queriesClosed = this.#opened?.queries.close();
    for (const instance of this.#registries.instances()) instance.abort();
    await this.#registries.hooks.lifecycle.stopping.call({ reason: end.reason });
    const settings = { clock: this.#context.clock, log: this.#log };
    await stopNetwork(this.#opened?.network, settings);
    for (const instance of this.#started.reverse())
      await stopInstance(instance, settings.clock, settings.log);
    await awaitProduction(produced, { ...settings, watchdog: this.#watchdog });
    this.#watchdog.stop();
    await this.#recovery.close();
    await queriesClosed;
    this.#end(await this.#close(end));
  }

  /**
   * Closes the storage; if that fails the node did not stop cleanly, whatever the reason for the
   * stop.
   */
  async #close(end: NodeEnd): Promise<NodeEnd> {
    try {
      await this.#opened?.close({ isClean: end.error === undefined });
      return end;
    } catch (error) {
      this.#log.error(`the storage failed to close: ${messageOf(error)}`, { error });
      return { error, ...end };
    }
  }

  #taskFailed({ name, essential }: Instance, { name: task, error }: TaskFailure): void {
    this.#log.error(`task ${task} of ${name} failed: ${messageOf(error)}`, { error });
    if (essential) void this.#halt({ reason: `task ${task} of ${name} failed`, error });
  }
}

function stoppedWhileOpened(): PlinthError {
  return new PlinthError("PHASE_WRONG", {
    message: "the node was stopped while it was opened; the next start continues",
  });
}
