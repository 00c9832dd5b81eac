import type { Plugin } from "@plinth/core";
import { verifyManifest } from "@plinth/node/manifest";
import { describePlugin } from "../describe-plugin.js";
import { readManifest } from "../loading/manifest-file.js";
import { loadPlugin } from "../plugin-source.js";
import { folderOf, isOclifPlugin, readPackage, type UserPackage } from "./user-packages.js";
import { loadOclifPlugin } from "./user-plugins.js";

/** The description of an installed package. */
export interface PackageContent {
  readonly version: string;
  /** The name of its Plinth plugin. */
  readonly plugin?: string;
  /** A line per kind: `methods: hello_greet`. */
  readonly adds: readonly string[];
}

/**
 * Loads a package; throws if it is neither a plugin of Plinth nor of oclif, or for another core.
 */
export async function inspectPackage(home: string, each: UserPackage): Promise<PackageContent> {
  const { version = "", peerDependencies = {} } = readPackage(folderOf(home, each));
  const isOclif = isOclifPlugin(home, each);
  const commands = isOclif ? (await loadOclifPlugin(home, each)).commandIDs : [];
  const ofOclif =
    commands.length === 0 ? [] : [`commands: ${commands.join(", ").replaceAll(":", " ")}`];
  if (isOclif && peerDependencies["@plinth/core"] === undefined) return { version, adds: ofOclif };
  const folders = { config: home, working: home, installed: home };
  const { plugin, url } = await loadPlugin(each.name, folders);
  return {
    version,
    plugin: plugin.name,
    adds: [...describePlugin(plugin), ...ofOclif, `loaded: ${describeLoading(plugin, url)}`],
  };
}

/** When a node loads a plugin; throws if its manifest is that of another. */
function describeLoading(plugin: Plugin, url: string): string {
  const read = readManifest(url);
  if (read.manifest === undefined) return `at every start, because ${read.missing}`;
  const { manifest } = read;
  verifyManifest(plugin, manifest);
  return manifest.eager === undefined ? "when it is needed" : `by every node: it ${manifest.eager}`;
}
