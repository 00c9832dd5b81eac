import { ConfigError, toOptionName } from "@plinth/core";
import { closestTo, type DeclaredOption, suggestionHints } from "@plinth/core/kernel";
import { BESU } from "../besu/declare.js";
import { formatEntry } from "./layout.js";
import type { ListedCommand } from "./listed-command.js";

/** The inputs of the help of the program. */
export interface HelpContent {
  readonly options: readonly DeclaredOption[];
  readonly commands: readonly ListedCommand[];
}

const SOURCES =
  "Every option can also be set by PLINTH_<NAME> (or BESU_<NAME>) in the environment and by its name in a\nconfiguration file.";

/** All options, grouped by the plugin that declares them, then the commands. */
export function formatAll({ options, commands }: HelpContent): string {
  return [
    "Usage: plinth [OPTIONS] [COMMAND]",
    "An Ethereum node for private networks, assembled from plugins.",
    formatSwitches(),
    ...formatGroups(options.filter(isListed)),
    formatCommands(commands),
    SOURCES,
    "",
  ].join("\n\n");
}

/** The experimental options. */
export function formatExperimental(options: readonly DeclaredOption[]): string {
  const shown = options.filter((each) => each.owner !== BESU && isExperimental(each));
  return ["Usage: plinth [OPTIONS] [COMMAND]", ...formatGroups(shown), SOURCES, ""].join("\n\n");
}

/**
 * The options of a group: of the plugin with this name, of those whose names contain it as a part,
 * or all whose own names contain it.
 */
export function formatGroup(word: string, options: readonly DeclaredOption[]): string {
  const listed = options.filter(isListed);
  const matches = [
    ({ owner }: DeclaredOption) => owner === word,
    ({ owner }: DeclaredOption) => owner.split("-").includes(word),
    ({ name }: DeclaredOption) => name.includes(word),
  ];
  const found = matches.map((match) => listed.filter(match)).find(({ length }) => length > 0);
  if (found !== undefined) return [...formatGroups(found), SOURCES, ""].join("\n\n");
  const groups = groupsOf(options);
  throw new ConfigError("HELP_GROUP_UNKNOWN", {
    message: `there is no group "${word}" and no option with it in its name; the groups are ${groups.join(", ")}, and all`,
    hints: suggestionHints(closestTo(word, groups).map((group) => `--help=${group}`)),
  });
}

/** The plugins with options. */
export function groupsOf(options: readonly DeclaredOption[]): readonly string[] {
  return [...new Set(options.filter(isListed).map(({ owner }) => owner))].sort();
}

/** An option as typed; without the experimental names of one that is not experimental any more. */
function formOf({ name, aliases, option: { kind } }: DeclaredOption): string {
  const shown = aliases.filter((alias) => name.startsWith("X") || !alias.startsWith("X"));
  const names = [name, ...shown].map((each) => `--${each}`).join(", ");
  const form = kind.arity === "flag" ? `${names}[=<true|false>]` : `${names}=${kind.placeholder}`;
  return name === "logging" ? `-l, ${form}` : form;
}

/** Names and explains an option. */
export function formatOption(declared: DeclaredOption): string {
  const { kind, summary, default: value, needs } = declared.option;
  const text = value === undefined ? "" : kind.format(value as never);
  const notes = [
    text === "" || text === "false" ? "" : `Default: ${text}.`,
    needs === undefined ? "" : `Needs --${toOptionName(needs)}.`,
  ];
  return formatEntry(formOf(declared), [summary, ...notes.filter((note) => note !== "")].join(" "));
}

function formatGroups(options: readonly DeclaredOption[]): readonly string[] {
  const owners = [...new Set(options.map(({ owner }) => owner))];
  return owners.map((owner) => {
    const own = options.filter((declared) => declared.owner === owner);
    return [`Options of ${owner}:`, ...own.map(formatOption)].join("\n");
  });
}

function isListed(declared: DeclaredOption): boolean {
  return declared.owner !== BESU && !isExperimental(declared);
}

/** Options that start with X are experimental, declared or not. */
function isExperimental({ name, option }: DeclaredOption): boolean {
  return option.experimental || name.startsWith("X");
}

function formatSwitches(): string {
  return [
    "Options:",
    formatEntry(
      "-h, --help[=<GROUP|all>]",
      "Shows the help of the program, of a group of options, or of all; after a command, the help of the command.",
    ),
    formatEntry("-V, --version", "Shows the version of the program and of its plugins."),
    formatEntry("-X, --Xhelp", "Shows experimental options."),
  ].join("\n");
}

function formatCommands(commands: readonly ListedCommand[]): string {
  const sorted = [...commands].sort((a, b) => (a.id < b.id ? -1 : 1));
  return ["Commands:", ...sorted.map(({ id, summary }) => formatEntry(id, summary))].join("\n");
}
