import { dirname, sep } from "node:path";
import { stackFiles } from "./stack-files.js";

/** A plugin and the file that declares it. */
export interface PluginFile {
  readonly name: string;
  readonly file: string | undefined;
}

/** Where an error that no caller caught comes from. */
export interface Culprit {
  readonly plugin: string;
  /** Whether no code but the plugin's was running: nothing else was left halfway. */
  readonly isAlone: boolean;
}

/** The plugin that an error comes from, as far as its stack shows; `undefined` when no frame is a plugin's. */
export function findCulprit(error: unknown, plugins: readonly PluginFile[]): Culprit | undefined {
  const owners = stackFiles(error).map((file) => ownerOf(file, plugins));
  const plugin = owners.find((owner) => owner !== undefined);
  if (plugin === undefined) return undefined;
  return { plugin, isAlone: owners.every((owner) => owner === plugin) };
}

/** The plugin that a file belongs to: the one it declares, or whose folder it stands in. */
function ownerOf(file: string, plugins: readonly PluginFile[]): string | undefined {
  const declared = plugins.find((plugin) => plugin.file === file);
  if (declared !== undefined) return declared.name;
  const around = plugins.filter((plugin) => isInFolderOf(plugin.file, file));
  // Two plugins of one folder share its other files: neither is blamed.
  return around.length === 1 ? around[0]?.name : undefined;
}

function isInFolderOf(declaring: string | undefined, file: string): boolean {
  if (declaring === undefined) return false;
  const folder = `${dirname(declaring)}${sep}`;
  return file.startsWith(folder) && !file.slice(folder.length).includes(`node_modules${sep}`);
}
