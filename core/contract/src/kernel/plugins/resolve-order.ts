import { ConfigError } from "../errors.js";
import { isOptional, serviceOf } from "../services.js";
import type { Plugin } from "./plugin.js";

/** A plugin with its position and the reasons for it. */
export interface OrderedPlugin {
  readonly plugin: Plugin;
  /** The providers it must follow, each with the service it uses. */
  readonly after: readonly { readonly plugin: string; readonly service: string }[];
}

/**
 * Sorts plugins so that every provider precedes its users.
 *
 * Otherwise the given order is kept. Throws for two plugins of one name, two providers of one
 * service, a missing provider and a cycle, naming the plugins involved.
 */
export function resolveOrder(plugins: readonly Plugin[]): readonly OrderedPlugin[] {
  verifyNames(plugins);
  const providers = findProviders(plugins);
  const entries = plugins.map((plugin) => ({ plugin, after: findPredecessors(plugin, providers) }));
  return sort(entries);
}

function verifyNames(plugins: readonly Plugin[]): void {
  const seen = new Set<string>();
  for (const { name } of plugins) {
    if (seen.has(name)) {
      throw new ConfigError("PLUGIN_DUPLICATE", {
        message: `two plugins have the name "${name}"; remove one of them from \`plugins\`, or name it in \`without\``,
        plugin: name,
      });
    }
    seen.add(name);
  }
}

function findProviders(plugins: readonly Plugin[]): ReadonlyMap<string, string> {
  const providers = new Map<string, string>();
  for (const { name, provides = [] } of plugins) {
    for (const { id } of provides) {
      const other = providers.get(id);
      if (other !== undefined) {
        throw new ConfigError("SERVICE_CONFLICT", {
          message: `${other} and ${name} both provide ${id}; keep one of them`,
          service: id,
        });
      }
      providers.set(id, name);
    }
  }
  return providers;
}

function findPredecessors(
  { name, dependencies = {} }: Plugin,
  providers: ReadonlyMap<string, string>,
): OrderedPlugin["after"] {
  const after: { plugin: string; service: string }[] = [];
  for (const dependency of Object.values(dependencies)) {
    const { id, hint } = serviceOf(dependency);
    const provider = providers.get(id);
    if (provider !== undefined) after.push({ plugin: provider, service: id });
    else if (!isOptional(dependency)) {
      throw new ConfigError("SERVICE_MISSING", {
        message: `${name} needs ${id}; ${hint === undefined ? "no loaded plugin provides it" : `add ${hint}`}`,
        plugin: name,
        service: id,
      });
    }
  }
  return after;
}

function sort(entries: readonly OrderedPlugin[]): readonly OrderedPlugin[] {
  const byName = new Map(entries.map((entry) => [entry.plugin.name, entry]));
  const sorted = new Set<OrderedPlugin>();
  const path: OrderedPlugin[] = [];

  const visit = (entry: OrderedPlugin): void => {
    if (sorted.has(entry)) return;
    if (path.includes(entry)) throw cycleError(path.slice(path.indexOf(entry)), entry);
    path.push(entry);
    for (const { plugin } of entry.after) {
      const predecessor = byName.get(plugin);
      if (predecessor !== undefined) visit(predecessor);
    }
    path.pop();
    sorted.add(entry);
  };
  for (const entry of entries) visit(entry);
  return [...sorted];
}

function cycleError(cycle: readonly OrderedPlugin[], first: OrderedPlugin): ConfigError {
  const steps = cycle.map((entry, index) => {
    const next = (cycle[index + 1] ?? first).plugin.name;
    const service = entry.after.find(({ plugin }) => plugin === next)?.service;
    return `${entry.plugin.name} needs ${service} of ${next}`;
  });
  return new ConfigError("SERVICE_CYCLE", {
    message: `plugins depend on each other in a cycle: ${steps.join(", ")}; remove one of them`,
    plugins: cycle.map(({ plugin }) => plugin.name),
  });
}
