import type {
  Dependencies,
  HealthCheck,
  HttpRoute,
  KeyValueStore,
  Options,
  PluginNode,
  PluginQuery,
  Runtime,
} from "@plinth/core";
import {
  createMemoryStorageDriver,
  defineContributionPoint,
  messageOf,
  PlinthError,
  PluginTable,
} from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { type AnyEngine, engines } from "@plinth/core/consensus";
import { evmDrivers } from "@plinth/core/evm";
import type { Logs, TapWatch, TaskFailure } from "@plinth/core/kernel";
import {
  Contributions,
  facadesFor,
  findPlace,
  MetricsRegistry,
  PluginError,
  PluginInstance,
  Services,
  sealedError,
  type TapFailure,
} from "@plinth/core/kernel";
import {
  networkDrivers,
  nodeKeyDrivers,
  subProtocols,
  verifySubProtocol,
} from "@plinth/core/network";
import { createNodeHooks, PluginQueries } from "@plinth/core/plugin";
import type { PluginTableKind } from "@plinth/core/storage";
import { storageDrivers } from "@plinth/core/storage";
import { Namespaces } from "../rpc/namespaces.js";
import { CORE, type PreparedNode } from "./prepare.js";
import { Routes } from "./routes.js";
import { withoutHint } from "./without-hint.js";

/** A check with its name. */
export interface NamedCheck {
  readonly name: string;
  readonly check: HealthCheck<Runtime>;
}

/** The contribution point of subcommands. */
export const commandPoint = defineContributionPoint<AnyCommand>("cli.command", {
  summary: "Subcommands of the program.",
  key: { label: "command", of: ({ id }) => id },
});

const healthPoint = defineContributionPoint<NamedCheck>("health.check", {
  summary: "Checks of the node's health.",
});

type Instance = PluginInstance<Runtime>;

/** Everything that plugins registered; `setup` of each has run once this exists. */
export class Registries {
  readonly contributions: Contributions;
  readonly namespaces: Namespaces;
  readonly services = new Services<Runtime>();
  readonly metrics = new MetricsRegistry();
  readonly routes = new Routes();
  readonly queries = new PluginQueries();
  readonly hooks;
  readonly #instances: readonly Instance[];
  readonly #byName: ReadonlyMap<string, Instance>;
  readonly #factory;
  readonly #logs: Logs;
  readonly #config: PreparedNode["config"];
  #store: KeyValueStore | undefined;
  #sealed = false;

  /** Plugin tables that can be rebuilt from the blocks. */
  readonly derivedTables = new Set<string>();

  constructor(settings: {
    readonly prepared: PreparedNode;
    readonly logs: Logs;
    readonly tapFailed: (failure: TapFailure) => void;
    readonly tapWatch?: TapWatch;
    readonly taskFailed: (instance: Instance, failure: TaskFailure) => void;
  }) {
    const { prepared, logs, tapFailed, tapWatch, taskFailed } = settings;
    this.#logs = logs;
    this.#config = prepared.config;
    this.#instances = prepared.ordered.map(({ plugin }) => new PluginInstance(plugin, taskFailed));
    this.#byName = new Map(this.#instances.map((instance) => [instance.name, instance]));
    const isLoaded = (plugin: string) => this.#byName.get(plugin)?.disabled !== true;
    const { factory, groups } = createNodeHooks({
      ownerOf: (plugin) => this.#byName.get(plugin),
      failed: tapFailed,
      ...(tapWatch === undefined ? {} : { watch: tapWatch }),
    });
    this.#factory = factory;
    this.hooks = groups;
    this.contributions = new Contributions(isLoaded);
    this.namespaces = new Namespaces(isLoaded);
    this.contributions.add(storageDrivers, CORE, createMemoryStorageDriver());
    for (const instance of this.#instances) this.#register(instance, prepared);
    for (const manifest of prepared.unloaded ?? []) this.namespaces.declare(manifest);
    this.services.verifyProvided();
  }

  /** The plugins in order. */
  instances(): readonly Instance[] {
    return this.#instances;
  }

  /** The plugin with that name. */
  find(name: string): Instance | undefined {
    return this.#byName.get(name);
  }

  /** Health checks with their plugins. */
  checks() {
    return this.contributions.entries(healthPoint);
  }

  /** The commands, as `cli.command` left them. */
  commands(): readonly { readonly plugin: string; readonly item: AnyCommand }[] {
    return this.contributions
      .entries(commandPoint)
      .map(({ plugin, item }) => ({ plugin, item: this.hooks.cli.command.call(item, { plugin }) }));
  }

  /** From now on the tables of plugins can be read. */
  storageOpened(store: KeyValueStore): void {
    this.#store = store;
  }

  /** Lets plugins inspect the registrations, then seals every registry. */
  async seal(): Promise<void> {
    await this.hooks.lifecycle.registered.call({
      contributions: (point) => this.contributions.list(point),
      namespaces: this.namespaces.names(),
      methods: this.namespaces.all().map(({ fullName }) => fullName),
      optionValue: (key) => this.#config.get(key),
      isOptionSet: (key) => this.#config.isSet(key),
    });
    this.namespaces.seal(this.hooks.rpc);
    this.contributions.seal();
    this.#factory.seal();
    this.#sealed = true;
  }

  #register(instance: Instance, { config }: PreparedNode): void {
    const { plugin, name } = instance;
    this.services.declare(name, plugin.provides ?? []);
    const node = this.#nodeFor(instance, config.valuesOf(plugin.options ?? {}));
    try {
      const answer: unknown = plugin.setup(node as never);
      if (answer instanceof Promise) {
        answer.catch(() => {});
        throw new TypeError("it returned a promise; move asynchronous work to onStart");
      }
    } catch (error) {
      throw failedIn(plugin, "setup", error);
    }
  }

  #createTable(names: { plugin: string; name: string }, kind: PluginTableKind = {}): PluginTable {
    const table = new PluginTable(names, () => this.#store);
    if (kind.isDerived === true) this.derivedTables.add(table.name);
    return table;
  }

  #nodeFor(instance: Instance, config: object): PluginNode<Options, Dependencies> {
    const { name } = instance;
    const add = this.contributions.add.bind(this.contributions);
    const whileOpen = <T>(list: T[], item: T, attempt: string) => {
      if (this.#sealed) throw sealedError(name, attempt);
      list.push(item);
    };
    return {
      config: config as never,
      log: this.#logs.for(name),
      metrics: this.metrics.for(name),
      hooks: facadesFor(this.hooks, name),
      rpc: {
        namespace: (namespace, methods, exposure = "listed") =>
          this.namespaces.register({ plugin: name, namespace, methods, exposure }),
      },
      http: {
        route: (route, port) => {
          if (this.#sealed) throw sealedError(name, `add the route ${route.path}`);
          this.routes.add(instance, route as HttpRoute<never>, port);
        },
      },
      cli: { command: (command) => add(commandPoint, name, command as AnyCommand) },
      storage: {
        driver: (driver) => add(storageDrivers, name, driver),
        table: (table, kind) => this.#createTable({ plugin: name, name: table }, kind),
      },
      keys: { driver: (driver) => add(nodeKeyDrivers, name, driver) },
      network: {
        driver: (driver) => add(networkDrivers, name, driver),
        protocol: (protocol) => {
          verifySubProtocol(name, protocol);
          add(subProtocols, name, protocol);
        },
      },
      consensus: {
        engine: (definition) => add(engines, name, definition as unknown as AnyEngine),
      },
      evm: { driver: (driver) => add(evmDrivers, name, driver) },
      query: (query) => {
        if (this.#sealed) throw sealedError(name, `register the query ${query.name}`);
        this.queries.add(name, query as unknown as PluginQuery<never, unknown>);
      },
      health: {
        check: (check, run) =>
          add(healthPoint, name, { name: check, check: run as NamedCheck["check"] }),
      },
      services: {
        provide: (service, create) => {
          if (this.#sealed) throw sealedError(name, `provide ${service.id}`);
          this.services.provide(name, service, create as (runtime: Runtime) => unknown);
        },
      },
      contribute: (point, item) => add(point, name, item),
      onStart: (start) =>
        whileOpen(instance.starts, start as (runtime: Runtime) => unknown, "register onStart"),
      onStop: (stop) => whileOpen(instance.stops, stop, "register onStop"),
      onReload: (reload) => whileOpen(instance.reloads, reload, "register onReload"),
    };
  }
}

/** The error of a plugin in a phase; typed errors pass through. */
export function failedIn(
  { name, file }: { readonly name: string; readonly file?: string | undefined },
  phase: string,
  error: unknown,
): PlinthError {
  if (error instanceof PlinthError) return error;
  const place = findPlace(error, file);
  return new PluginError("PLUGIN_FAILED", {
    message: `${name} failed in ${phase}: ${messageOf(error)}`,
    plugin: name,
    phase,
    hints: [...(place === undefined ? [] : [`at ${place}`]), withoutHint(name)],
    cause: error,
  });
}
