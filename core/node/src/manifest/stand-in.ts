import type { Option, Plugin } from "@plinth/core";
import { optional, type Service } from "@plinth/core";
import { markPlugin } from "@plinth/core/kernel";
import { formOf, optionOf } from "./option-form.js";
import type { ManifestDependency, PluginManifest } from "./plugin-manifest.js";

/** Known options by name: plugins may share one, and it stays the same value. */
export type SharedOptions = Map<string, Option<unknown>>;

/** A plugin created from a manifest: it can be ordered and configured, and registers nothing. */
export function createStandIn(manifest: PluginManifest, shared: SharedOptions): Plugin {
  const { name, options, provides, dependencies, isEssential } = manifest;
  return markPlugin({
    name,
    essential: isEssential,
    options: Object.fromEntries(
      Object.entries(options).map(([key, form]) => {
        const known = shared.get(key);
        const isSame =
          known !== undefined && JSON.stringify(formOf(known)) === JSON.stringify(form);
        const option = isSame ? known : optionOf(form);
        shared.set(key, option);
        return [key, option];
      }),
    ),
    provides: provides.map((id) => ({ id })),
    dependencies: Object.fromEntries(dependencies.map((each) => [each.id, dependencyOf(each)])),
    setup: () => {
      throw new TypeError(`plugin ${name} is not loaded`);
    },
  });
}

function dependencyOf({ id, hint, isOptional }: ManifestDependency) {
  const service: Service<unknown> = hint === undefined ? { id } : { id, hint };
  return isOptional ? optional(service) : service;
}
