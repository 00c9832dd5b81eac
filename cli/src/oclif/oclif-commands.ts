/** A command of one of oclif's own plugins. */
export interface OclifCommand {
  readonly id: string;
  readonly plugin: string;
  readonly summary: string;
}

/**
 * Commands of oclif's plugins, with our descriptions; their packages are imported when they run.
 */
export const OCLIF_COMMANDS: readonly OclifCommand[] = [
  {
    id: "commands",
    plugin: "@oclif/plugin-commands",
    summary: "Lists all commands, including those of plugins.",
  },
  {
    id: "autocomplete",
    plugin: "@oclif/plugin-autocomplete",
    summary:
      "Sets up completion of commands and flags in bash, zsh or PowerShell, and prints how to use it.",
  },
  {
    id: "plugins",
    plugin: "@oclif/plugin-plugins",
    summary: "Lists the installed plugins, and the contents of each.",
  },
  {
    id: "plugins install",
    plugin: "@oclif/plugin-plugins",
    summary:
      "Installs a plugin of Plinth or oclif and lists its contents: a package of the registry, a folder with a built one, or a packed one (.tgz). Its install scripts never run.",
  },
  {
    id: "plugins uninstall",
    plugin: "@oclif/plugin-plugins",
    summary: "Removes an installed or linked plugin.",
  },
  {
    id: "plugins update",
    plugin: "@oclif/plugin-plugins",
    summary:
      "Installs the newest version of a plugin, or of all; one from a folder or tarball is read from there again.",
  },
  {
    id: "plugins link",
    plugin: "@oclif/plugin-plugins",
    summary: "Uses a plugin from its development folder, as it is at every start.",
  },
  {
    id: "plugins inspect",
    plugin: "@oclif/plugin-plugins",
    summary: "Shows the folder of an installed plugin, its dependencies and its contents.",
  },
  {
    id: "plugins reset",
    plugin: "@oclif/plugin-plugins",
    summary: "Removes all installed and linked plugins.",
  },
];
