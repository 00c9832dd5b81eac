import { userInfo } from "node:os";
import type { Command, Interfaces } from "@oclif/core";
import { Config, Plugin } from "@oclif/core/config";
import type { KnownCommand } from "../known-command.js";
import { PROGRAM_FOLDER } from "../program-package.js";
import type { Execute } from "./adapt-command.js";
import { addNodeOptions, type CompletedOption } from "./completion.js";
import { OCLIF_COMMANDS } from "./oclif-commands.js";
import { fromOclifId } from "./oclif-id.js";
import { createOwnPlugin } from "./own-plugin.js";
import { makePlain } from "./plain-texts.js";
import type { PluginCommandSettings } from "./plugin-commands.js";
import { loadUserPlugins } from "./user-plugins.js";

const PLUGINS_WORD = "plugins";
/** Scripts are created by the command of this name, and from no command line. */
const COMPLETION_WORDS = ["autocomplete", ""];
const PLUGINS_PACKAGE = "@oclif/plugin-plugins";

/** An instantiable command class. */
type RunnableClass = new (...words: never[]) => Command & { run(): Promise<void> };

/** The inputs of oclif instead of folders to read. */
export interface ConfigContent {
  readonly commands: readonly KnownCommand[];
  /** Options of the node, which are completed before a command. */
  readonly options: readonly CompletedOption[];
  /** The first argument of the command line; empty for completion scripts. */
  readonly word: string;
  readonly execute: Execute;
  readonly pluginCommands: PluginCommandSettings;
  warn(message: string): void;
}

/**
 * oclif's configuration, with a generated list of plugins: nothing is searched for, nothing
 * imported.
 */
export async function createConfig(content: ConfigContent): Promise<Config> {
  const { home } = content.pluginCommands;
  const own = createOwnPlugin(content.commands, content.execute);
  const isPlugins = content.word === PLUGINS_WORD;
  const installed = await loadUserPlugins(home, { warn: content.warn, all: isPlugins });
  const others = [...(await loadOclifPlugins(content)), ...installed];
  if (isPlugins) {
    // oclif recreates its configuration for every command, from the environment.
    process.env.PLINTH_DATA_DIR = home;
    // A plugin whose hook ends the process can still be removed.
    for (const each of installed) each.hooks = {};
  }
  leaveOutTaken(own, others, content.warn);
  if (COMPLETION_WORDS.includes(content.word)) for (const each of [own, ...others]) makePlain(each);
  nameShell();
  const plugins = new Map([own, ...others].map((plugin) => [plugin.name, plugin]));
  return Config.load({ root: own.root, pjson: own.pjson, plugins });
}

/** oclif asks the system for the user's shell, which fails in a container without the user. */
function nameShell(): void {
  if (process.env.SHELL !== undefined) return;
  try {
    userInfo();
  } catch {
    process.env.SHELL = "/bin/sh";
  }
}

/**
 * The commands of oclif itself are included if all commands are listed, or if none of ours matches.
 */
async function loadOclifPlugins(content: ConfigContent): Promise<Interfaces.Plugin[]> {
  const { commands, word } = content;
  const isPlugins = word === PLUGINS_WORD;
  if (!isPlugins && commands.some(({ id }) => id.split(" ")[0] === word)) return [];
  const names = isPlugins ? [PLUGINS_PACKAGE] : OCLIF_COMMANDS.map(({ plugin }) => plugin);
  return Promise.all([...new Set(names)].map((name) => loadOclifPackage(name, content)));
}

async function loadOclifPackage(name: string, content: ConfigContent): Promise<Interfaces.Plugin> {
  const plugin = new Plugin({ name, root: PROGRAM_FOLDER, type: "core" });
  await plugin.load();
  for (const command of plugin.commands) {
    const ours = OCLIF_COMMANDS.find(({ id }) => id === fromOclifId(command.id));
    if (ours !== undefined)
      Object.assign(command, { summary: ours.summary, description: undefined });
    if (command.id === "autocomplete") completeOptions(command, content.options);
    if (name === PLUGINS_PACKAGE) adaptPluginCommand(command, content.pluginCommands);
  }
  return plugin;
}

/** The classes with our rules instead of those of the package, and their arguments. */
function adaptPluginCommand(command: Command.Loadable, settings: PluginCommandSettings): void {
  const { id } = command;
  command.load = async () => {
    const { pluginCommands } = await import("./plugin-commands.js");
    return pluginCommands(settings)[id] as Command.Class;
  };
  if (id === "plugins") {
    command.aliases = ["plugins:list"];
    delete command.flags.core;
  }
  if (id === "plugins:link") delete command.flags.install;
  if (id === "plugins:update") {
    const description = "The name of the package; all by default.";
    command.args = { name: { name: "name", description } as Command.Arg.Cached };
  }
}

/** `plinth autocomplete` also completes the options before a command. */
function completeOptions(command: Command.Loadable, options: readonly CompletedOption[]): void {
  const load = command.load;
  command.load = async () => {
    const Autocomplete = (await load()) as unknown as RunnableClass;
    return class extends Autocomplete {
      override async run(): Promise<void> {
        await super.run();
        await addNodeOptions(this.config.cacheDir, options);
      }
    } as unknown as Command.Class;
  };
}

/** Of two plugins with one command, the earlier one keeps it, and both are reported. */
function leaveOutTaken(
  own: Interfaces.Plugin,
  others: readonly Interfaces.Plugin[],
  warn: (message: string) => void,
): void {
  const owners = new Map(own.commands.map(({ id, pluginName }) => [id, pluginName ?? own.name]));
  for (const plugin of others) {
    plugin.commands = plugin.commands.filter(({ id }) => {
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, plugin.name);
      else warn(`the command "${fromOclifId(id)}" of ${plugin.name} is skipped: ${owner} has it`);
      return owner === undefined;
    });
  }
}
