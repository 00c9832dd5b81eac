import { dirname, sep } from "node:path";
import { stackFiles } from "./stack-files.js";

/** A plugin and the file that declares it. */
export interface PluginFile {
  readonly name: string;
  readonly file: string | undefined;
}

/** The origin of an uncaught error. */
export interface Culprit {
  readonly plugin: string;
  /** Whether only the plugin's code was running: nothing else was interrupted. */
  readonly isAlone: boolean;
}

/** The plugin that caused an error, judging by its stack; `undefined` if no frame is a plugin's. */
export function findCulprit(error: unknown, plugins: readonly PluginFile[]): Culprit | undefined {
  const owners = stackFiles(error).map((file) => ownerOf(file, plugins));
  const plugin = owners.find((owner) => owner !== undefined);
  if (plugin === undefined) return undefined;
  return { plugin, isAlone: owners.every((owner) => owner === plugin) };
}

/** The plugin that a file belongs to: the one that declares it, or whose folder contains it. */
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
