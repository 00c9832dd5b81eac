import type { Plugin } from "@plinth/core";
import {
  Configuration,
  type Layer,
  OptionSchema,
  type OrderedPlugin,
  resolveOrder,
} from "@plinth/core/kernel";
import type { UnloadedPlugin } from "../rpc/namespaces.js";
import { coreOptions } from "./options.js";

/** Plugins in order, with all options they and the core declare. */
export interface ResolvedPlugins {
  readonly ordered: readonly OrderedPlugin[];
  readonly schema: OptionSchema;
}

/** A configured node: no plugin code has run yet. */
export interface PreparedNode extends ResolvedPlugins {
  readonly config: Configuration;
  /**
   * Plugins that this node has and does not need: their methods are known, and calls to them are
   * rejected.
   */
  readonly unloaded?: readonly UnloadedPlugin[];
}

/** The owner name of the core's own options and drivers. */
export const CORE = "core";

/** Orders plugins and collects their options. */
export function resolvePlugins(plugins: readonly Plugin[]): ResolvedPlugins {
  const ordered = resolveOrder(plugins);
  const schema = new OptionSchema();
  schema.declare(CORE, coreOptions);
  for (const { plugin } of ordered) schema.declare(plugin.name, plugin.options ?? {});
  return { ordered, schema };
}

/** Reads every option from the layers, strongest first. */
export function configureNode(resolved: ResolvedPlugins, layers: readonly Layer[]): PreparedNode {
  return { ...resolved, config: new Configuration(resolved.schema, layers) };
}
