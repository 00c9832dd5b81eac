import { readFileSync } from "node:fs";
import { ConfigError } from "@plinth/core";
import type { PluginManifest } from "@plinth/node/manifest";

/** Written by the build from the folders of plugins. */
const SHIPPED = new URL("../dist/preset.json", import.meta.url);

let shipped: ReadonlyMap<string, PluginManifest> | undefined;

/** Plugins that belong together, by name; the default one makes the node behave like Besu. */
const PRESETS: Readonly<Record<string, () => readonly string[]>> = {
  besu: () => [...readShipped().keys()],
  none: () => [],
};

/** The plugins of a preset. */
export function pluginsOfPreset(name: string): readonly string[] {
  const plugins = PRESETS[name.toLowerCase()];
  if (plugins !== undefined) return plugins();
  throw new ConfigError("PRESET_UNKNOWN", {
    message: `unknown preset "${name}"; there are ${Object.keys(PRESETS).join(" and ")}`,
    preset: name,
  });
}

/** The manifest of a plugin of the preset, as it came with the program. */
export function shippedManifest(name: string): PluginManifest | undefined {
  return readShipped().get(name);
}

function readShipped(): ReadonlyMap<string, PluginManifest> {
  if (shipped === undefined) {
    const manifests: readonly PluginManifest[] = JSON.parse(readFileSync(SHIPPED, "utf8"));
    shipped = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  }
  return shipped;
}
