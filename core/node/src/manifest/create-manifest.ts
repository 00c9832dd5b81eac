import type { Plugin } from "@plinth/core";
import { logDrivers } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { engines } from "@plinth/core/consensus";
import { evmDrivers } from "@plinth/core/evm";
import {
  Configuration,
  isOptional,
  OptionSchema,
  serviceOf,
  silentLogs,
} from "@plinth/core/kernel";
import { networkDrivers, nodeKeyDrivers } from "@plinth/core/network";
import type { RegisteredMethod } from "@plinth/core/rpc";
import { storageDrivers } from "@plinth/core/storage";
import { coreOptions } from "../plugin/options.js";
import { CORE } from "../plugin/prepare.js";
import { commandPoint, Registries } from "../plugin/registries.js";
import type { KnownMethod, KnownNamespace } from "../rpc/namespaces.js";
import { formsOf } from "./option-form.js";
import { MANIFEST_VERSION, type ManifestCommand, type PluginManifest } from "./plugin-manifest.js";

/** Points from which an option selects one item. */
export const DRIVER_POINTS = [
  storageDrivers,
  nodeKeyDrivers,
  networkDrivers,
  evmDrivers,
  logDrivers,
] as const;

/** Built-in drivers, by the id of their point. */
export const CORE_DRIVERS: Readonly<Record<string, readonly string[]>> = {
  [storageDrivers.id]: ["memory"],
  [logDrivers.id]: ["plinth"],
};

/** Contributions that are listed under their own name. */
const LISTED: readonly string[] = [
  commandPoint.id,
  engines.id,
  ...DRIVER_POINTS.map(({ id }) => id),
];

/** Hooks about commands, which run without a node. */
const CLI_HOOK = /^cli\./;

/** Describes a plugin by its declaration and by what `setup` registers with default options. */
export function createManifest(plugin: Plugin): PluginManifest {
  const { name, options = {}, activation } = plugin;
  const registries = register(plugin);
  const keys = registries.contributions.keysOf(name);
  const hooks = findHooks(registries);
  const routes = registries.routes.all().map(({ method, path }) => `${method} ${path}`);
  const eager =
    activation === undefined ? findActivity(registries, { hooks, routes, keys }) : undefined;
  return {
    manifestVersion: MANIFEST_VERSION,
    name,
    isEssential: plugin.essential === true,
    options: formsOf(options),
    provides: (plugin.provides ?? []).map(({ id }) => id),
    dependencies: Object.values(plugin.dependencies ?? {}).map((dependency) => {
      const { id, hint } = serviceOf(dependency);
      return { id, ...(hint === undefined ? {} : { hint }), isOptional: isOptional(dependency) };
    }),
    namespaces: groupMethods(registries.namespaces.all()),
    commands: registries.contributions.list(commandPoint).map(describeCommand),
    engines: registries.contributions.list(engines).map((engine) => ({
      key: engine.key,
      isDefault: engine.isDefault === true,
      mergesByTime: engine.mergesByTime === true,
      followsMerge: engine.followsMerge === true,
    })),
    drivers: pick(keys, (id) => DRIVER_POINTS.some((point) => point.id === id)),
    contributions: pick(keys, (id) => !LISTED.includes(id)),
    routes,
    hooks,
    listeners: plugin.listeners ?? [],
    ...(eager === undefined ? {} : { eager }),
    activation: activation ?? {},
  };
}

function register(plugin: Plugin): Registries {
  const schema = new OptionSchema();
  schema.declare(CORE, coreOptions);
  schema.declare(plugin.name, plugin.options ?? {});
  return new Registries({
    prepared: { ordered: [{ plugin, after: [] }], schema, config: new Configuration(schema, []) },
    logs: silentLogs,
    tapFailed: () => {},
    taskFailed: () => {},
  });
}

function findHooks({ hooks }: Registries): readonly string[] {
  return Object.values(hooks)
    .flatMap((group) => Object.values(group))
    .filter((hook) => hook.plugins().length > 0)
    .map(({ name }) => name);
}

/** What makes a plugin active in every node that has it. */
function findActivity(
  registries: Registries,
  registered: {
    readonly hooks: readonly string[];
    readonly routes: readonly string[];
    readonly keys: Readonly<Record<string, readonly string[]>>;
  },
): string | undefined {
  const hook = registered.hooks.find((name) => !CLI_HOOK.test(name));
  if (hook !== undefined) return `taps ${hook}`;
  const [route] = registered.routes;
  if (route !== undefined) return `serves ${route}`;
  const point = Object.keys(registered.keys).find((id) => !LISTED.includes(id));
  if (point !== undefined) return `contributes to ${point}`;
  if (registries.queries.plugins().length > 0) return "runs on threads";
  const isActive = registries
    .instances()
    .some(({ starts, stops, reloads }) => starts.length + stops.length + reloads.length > 0);
  return isActive ? "starts with the node" : undefined;
}

function groupMethods(methods: readonly RegisteredMethod[]): readonly KnownNamespace[] {
  const groups = new Map<string, KnownNamespace & { readonly methods: KnownMethod[] }>();
  for (const entry of methods) {
    const key = `${entry.namespace} ${entry.exposure}`;
    const group = groups.get(key) ?? {
      name: entry.namespace,
      exposure: entry.exposure,
      methods: [],
    };
    groups.set(key, group);
    group.methods.push(describeMethod(entry));
  }
  return [...groups.values()];
}

function describeMethod({ name, method }: RegisteredMethod): KnownMethod {
  const { summary, caller, absentIn, alias, alsoIn, permission } = method;
  return {
    name,
    summary,
    ...(caller === "duplex" ? { caller } : {}),
    ...(absentIn === undefined ? {} : { absentIn }),
    ...(alias === undefined ? {} : { alias }),
    ...(alsoIn === undefined ? {} : { alsoIn }),
    ...(permission === undefined ? {} : { permission }),
  };
}

function describeCommand(command: AnyCommand): ManifestCommand {
  const { id, summary, examples = [], flags, args, uses } = command;
  return {
    id,
    summary,
    examples,
    flags: formsOf(flags),
    ...(args === undefined ? {} : { args }),
    ...(uses === undefined
      ? {}
      : {
          uses: {
            chain: uses.chain === true,
            genesis: uses.genesis === true,
            points: (uses.points ?? []).map((point) => point.id),
          },
        }),
  };
}

function pick<T>(record: Readonly<Record<string, T>>, isWanted: (key: string) => boolean) {
  return Object.fromEntries(Object.entries(record).filter(([key]) => isWanted(key)));
}
