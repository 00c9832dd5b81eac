import type { Plugin } from "@plinth/core";
import { ConfigError } from "@plinth/core";
import { serviceOf } from "@plinth/core/kernel";
import { formsOf } from "./option-form.js";
import type { PluginManifest } from "./plugin-manifest.js";

/** Throws if a plugin does not match its manifest. */
export function verifyManifest(plugin: Plugin, manifest: PluginManifest): void {
  const { name, options = {}, provides = [], dependencies = {} } = plugin;
  const services = Object.values(dependencies).map((dependency) => serviceOf(dependency).id);
  const part = [
    ["name", name, manifest.name],
    ["options", formsOf(options), manifest.options],
    ["services", provides.map(({ id }) => id), manifest.provides],
    ["dependencies", services, manifest.dependencies.map(({ id }) => id)],
  ].find(([, declared, listed]) => JSON.stringify(declared) !== JSON.stringify(listed))?.[0];
  if (part === undefined) return;
  throw new ConfigError("MANIFEST_STALE", {
    message: `the manifest of plugin "${name}" does not match it: the ${part} differ; rebuild the plugin, which writes its manifest`,
    plugin: name,
  });
}
