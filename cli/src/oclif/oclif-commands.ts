/** A command that comes with one of oclif's own plugins. */
export interface OclifCommand {
  readonly id: string;
  readonly plugin: string;
  readonly summary: string;
}

/** Commands of oclif's plugins, in our words; their packages are imported when they run. */
export const OCLIF_COMMANDS: readonly OclifCommand[] = [
  {
    id: "commands",
    plugin: "@oclif/plugin-commands",
    summary: "Lists all commands, those of plugins included.",
  },
  {
    id: "autocomplete",
    plugin: "@oclif/plugin-autocomplete",
    summary:
      "Sets up completion of commands and flags in bash, zsh or PowerShell, and says how to use it.",
  },
];
