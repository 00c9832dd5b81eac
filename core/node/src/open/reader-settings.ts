import { join } from "node:path";
import { evmDrivers } from "@plinth/core/evm";
import { chooseDriver } from "@plinth/core/kernel";
import type { ReaderSettings } from "@plinth/core/query";
import { storageDrivers } from "@plinth/core/storage";
import { coreOptions } from "../plugin/options.js";
import type { PreparedNode } from "../plugin/prepare.js";
import type { Registries } from "../plugin/registries.js";
import type { NodeResources } from "./open-resources.js";

/** Where threads find plugins. */
export interface PluginModules {
  /** The URL of the module whose default export is the plugin, by the plugin's name. */
  readonly modules: ReadonlyMap<string, string>;
  /** A module that threads import before any plugin. */
  readonly preload?: string;
}

/**
 * What other threads need to open the chain: the drivers and engines in use, plugins that change
 * the EVM, and those whose methods run on them, with their dependencies.
 *
 * `undefined` if a thread cannot have the same: the storage serves one thread only, or a plugin is
 * a value of this program and not a module.
 */
export function findReaderSettings(parts: {
  readonly prepared: PreparedNode;
  readonly registries: Registries;
  readonly resources: NodeResources;
  readonly enginePlugins: readonly string[];
  readonly available: PluginModules;
}): ReaderSettings | undefined {
  const { prepared, registries, resources, enginePlugins, available } = parts;
  const { contributions } = registries;
  const { dataPath, evm } = prepared.config.valuesOf(coreOptions);
  const storage = chooseDriver(contributions, storageDrivers, resources.storage);
  if (storage.driver.openReader === undefined) return undefined;
  const wanted = [
    storage.plugin,
    chooseDriver(contributions, evmDrivers, evm).plugin,
    ...enginePlugins,
    ...registries.hooks.evm.precompiles.plugins(),
    ...registries.queries.plugins(),
    ...registries.namespaces
      .all()
      .filter(({ method }) => method.offload !== undefined)
      .map(({ plugin }) => plugin),
  ];
  const names = withProviders(wanted, prepared);
  const modules = names.flatMap((name) => {
    const url = available.modules.get(name);
    return url === undefined ? [] : [{ name, url }];
  });
  if (modules.length < names.length) return undefined;
  return {
    modules,
    preload: available.preload,
    options: prepared.config.values(),
    genesis: resources.genesis.json,
    origin: resources.genesis.origin,
    storage: storage.driver.name,
    folder: join(dataPath, "database"),
  };
}

/** Plugins with all their providers, in load order. */
function withProviders(wanted: readonly string[], { ordered }: PreparedNode): readonly string[] {
  const names = new Set(wanted);
  for (const { plugin, after } of [...ordered].reverse()) {
    if (names.has(plugin.name)) for (const provider of after) names.add(provider.plugin);
  }
  return ordered.map(({ plugin }) => plugin.name).filter((name) => names.has(name));
}
