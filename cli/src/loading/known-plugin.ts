import type { Plugin } from "@plinth/core";
import {
  createStandIn,
  type PluginManifest,
  type SharedOptions,
  verifyManifest,
} from "@plinth/node/manifest";
import type { FoundPlugin } from "../plugin-source.js";
import { importPlugin } from "../plugin-source.js";

/** A plugin of the configuration: loaded, or known by its manifest. */
export type KnownPlugin = FoundPlugin &
  (
    | { readonly manifest: PluginManifest; readonly plugin?: Plugin }
    | { readonly manifest: undefined; readonly missing: string; readonly plugin: Plugin }
  );

/** The name of a plugin. */
export function nameOf({ manifest, plugin }: KnownPlugin): string {
  return manifest?.name ?? plugin?.name ?? "";
}

/** Imports a plugin, and verifies that it matches its manifest. */
export async function loadKnown(known: KnownPlugin): Promise<KnownPlugin & { plugin: Plugin }> {
  if (known.manifest === undefined) return known;
  const plugin = known.plugin ?? (await importPlugin(known));
  verifyManifest(plugin, known.manifest);
  return { ...known, plugin };
}

/** The plugins for ordering and configuration: those that are not loaded by their manifests. */
export function describePlugins(known: readonly KnownPlugin[]): readonly Plugin[] {
  const shared: SharedOptions = new Map();
  for (const { plugin } of known) {
    for (const [key, option] of Object.entries(plugin?.options ?? {})) shared.set(key, option);
  }
  return known.map((each) => {
    if (each.manifest === undefined) return each.plugin;
    return each.plugin ?? createStandIn(each.manifest, shared);
  });
}
