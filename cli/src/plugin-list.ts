import { ConfigError } from "@plinth/core";
import type { ConfigFile } from "./config-file.js";
import { type KnownPlugin, nameOf } from "./loading/known-plugin.js";
import { readManifest } from "./loading/manifest-file.js";
import { findPlugin, importPlugin, type PluginFolders } from "./plugin-source.js";
import { pluginsOfPreset, shippedManifest } from "./preset.js";

/** The plugins that a configuration requests. */
export interface PluginChoice {
  readonly preset: string;
  readonly plugins: readonly string[];
  readonly without: readonly string[];
}

/** Reads the three keys about plugins; a profile adds those it needs. */
export function readPluginChoice(file: ConfigFile | undefined, profile?: ConfigFile): PluginChoice {
  return {
    preset: readText(file, "preset") ?? "besu",
    plugins: [...readTexts(profile, "plugins"), ...readTexts(file, "plugins")],
    without: readTexts(file, "without"),
  };
}

/**
 * Finds the plugins of the preset and the additional ones, without the excluded ones; one without a
 * manifest is loaded.
 */
export async function findPlugins(
  { preset, plugins, without }: PluginChoice,
  folders: PluginFolders,
): Promise<readonly KnownPlugin[]> {
  const names = [...pluginsOfPreset(preset), ...plugins];
  const wanted = names.filter((name) => !without.includes(name));
  const known = await Promise.all([...new Set(wanted)].map((name) => findKnown(name, folders)));
  verifyWithout(without, [...names, ...known.map(nameOf)]);
  return known.filter((each) => !without.includes(nameOf(each)));
}

async function findKnown(specifier: string, folders: PluginFolders): Promise<KnownPlugin> {
  const found = await findPlugin(specifier, folders);
  const ours = found.isShipped ? shippedManifest(specifier) : undefined;
  if (ours !== undefined) return { ...found, manifest: ours };
  const read = readManifest(found.url);
  if (read.manifest !== undefined) return { ...found, manifest: read.manifest };
  const plugin = await importPlugin(found);
  return { ...found, manifest: undefined, missing: read.missing, plugin };
}

/** A name in `without` that excludes nothing is a spelling mistake. */
function verifyWithout(without: readonly string[], known: readonly string[]): void {
  const unknown = without.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ConfigError("PLUGIN_UNKNOWN", {
    message: `without: no plugin "${unknown}" is loaded; loaded are ${[...new Set(known)].join(", ")}`,
    plugin: unknown,
  });
}

function readText(file: ConfigFile | undefined, key: string): string | undefined {
  const value = file?.values.get(key);
  if (value === undefined || typeof value === "string") return value;
  throw wrongType(file, key, '"besu"');
}

function readTexts(file: ConfigFile | undefined, key: string): readonly string[] {
  const value = file?.values.get(key) ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw wrongType(file, key, '["name"]');
}

function wrongType(file: ConfigFile | undefined, key: string, example: string): ConfigError {
  return new ConfigError("OPTION_INVALID", {
    message: `Invalid value for ${key} (from ${file?.path}): expected ${example}`,
    option: key,
  });
}
