import type { Plugin } from "@plinth/core";
import type { InstalledPlugins } from "../installed-plugins.js";

/** What the commands about installed plugins work with. */
export interface PluginCommandSettings {
  readonly installed: InstalledPlugins;
  readonly workingFolder: string;
  /** The plugins of the configuration, which a new one would be loaded beside. */
  readonly loaded: readonly Plugin[];
}
