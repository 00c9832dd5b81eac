import type { Interfaces } from "@oclif/core";
import { Plugin } from "@oclif/core/config";
import { ConfigError, messageOf } from "@plinth/core";
import { folderOf, isOclifPlugin, listUserPackages, type UserPackage } from "./user-packages.js";

/** How installed packages are loaded. */
export interface LoadSettings {
  /** Includes packages that are not made for oclif, and add no command to it. */
  readonly all: boolean;
  warn(message: string): void;
}

/**
 * oclif plugins among the installed packages; one that cannot be loaded is reported and skipped.
 */
export async function loadUserPlugins(
  home: string,
  { all, warn }: LoadSettings,
): Promise<Interfaces.Plugin[]> {
  const orWarn = (error: unknown): [] => {
    warn(messageOf(error));
    return [];
  };
  const load = async (each: UserPackage) =>
    all || isOclifPlugin(home, each) ? [await loadOclifPlugin(home, each)] : [];
  const packages = await Promise.resolve(home).then(listUserPackages).catch(orWarn);
  const plugins = packages.map((each) => load(each).catch(orWarn));
  return (await Promise.all(plugins)).flat();
}

/** An oclif plugin as oclif lists it; imported if it has no manifest. */
export async function loadOclifPlugin(home: string, each: UserPackage): Promise<Interfaces.Plugin> {
  const { name, type } = each;
  try {
    const root = folderOf(home, each);
    const plugin = new Plugin({ name, type, root, errorOnManifestCreate: true });
    await plugin.load();
    return plugin;
  } catch (error) {
    throw new ConfigError("PLUGIN_UNLOADABLE", {
      message: `plugin "${name}" cannot be loaded: ${messageOf(error).split("\n")[0]}`,
      plugin: name,
      cause: error,
    });
  }
}
