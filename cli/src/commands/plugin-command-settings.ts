import type { InstalledPlugins } from "../installed-plugins.js";

/** What the commands about installed plugins work with. */
export interface PluginCommandSettings {
  readonly installed: InstalledPlugins;
  readonly workingFolder: string;
}
