import { type Option, toOptionName } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import type { DeclaredOption } from "@plinth/core/kernel";
import { BESU } from "./besu/declare.js";
import type { ProfileCommand } from "./profile-command.js";

const WIDTH = 100;
const INDENT = "  ";
const GAP = "      ";

/** What is listed of a command. */
export type ListedCommand = Pick<AnyCommand, "id" | "summary">;

/** What the help of the program is made from. */
export interface HelpContent {
  readonly options: readonly DeclaredOption[];
  readonly commands: readonly ListedCommand[];
  /** Show experimental options, and only them. */
  readonly experimental: boolean;
}

/** The help of the program: options grouped by the plugin that declares them, then the commands. */
export function formatHelp({ options, commands, experimental }: HelpContent): string {
  const shown = options.filter(
    ({ option, owner }) => owner !== BESU && option.experimental === experimental,
  );
  const owners = [...new Set(shown.map(({ owner }) => owner))];
  const groups = owners.map((owner) => {
    const own = shown.filter((declared) => declared.owner === owner);
    return [`Options of ${owner}:`, ...own.map(formatDeclared)].join("\n");
  });
  return [
    "Usage: plinth [OPTIONS] [COMMAND]",
    "An Ethereum node for private networks, assembled from plugins.",
    ...(experimental ? [] : [formatSwitches()]),
    ...groups,
    ...(experimental ? [] : [formatCommands("Commands:", commands)]),
    "Every option can also be set by PLINTH_<NAME> (or BESU_<NAME>) in the environment and by its name in a\nconfiguration file.",
    "",
  ].join("\n\n");
}

/** The short help of a command that runs the node with a profile. */
export function formatProfileHelp(
  { word, summary, names, examples }: ProfileCommand,
  findOption: (name: string) => Option<unknown> | undefined,
): string {
  const options = Object.entries(names).flatMap(([name, target]) => {
    const option = findOption(target);
    return option === undefined ? [] : [formatOption(name, [], { ...option, needs: undefined })];
  });
  return [
    `Usage: plinth ${word} [OPTIONS]`,
    wrap(summary, WIDTH).join("\n"),
    ["Options:", ...options, formatEntry("-h, --help", "Shows this help.")].join("\n"),
    formatExamples(examples),
    "Every other option of the node works as well; plinth --profile=dev --help lists them.",
    "",
  ].join("\n\n");
}

function formatExamples(examples: readonly string[]): string {
  return ["Examples:", ...examples.map((example) => `${INDENT}${example}`)].join("\n");
}

function formatSwitches(): string {
  return [
    "Options:",
    formatEntry("-h, --help", "Shows this help; after a command, that of the command."),
    formatEntry("-V, --version", "Shows the version of the program and of its plugins."),
    formatEntry("-X, --Xhelp", "Shows experimental options."),
  ].join("\n");
}

function formatCommands(title: string, commands: readonly ListedCommand[]): string {
  const sorted = [...commands].sort((a, b) => (a.id < b.id ? -1 : 1));
  return [title, ...sorted.map(({ id, summary }) => formatEntry(id, summary))].join("\n");
}

function formatDeclared({ name, aliases, option }: DeclaredOption): string {
  return formatOption(name, aliases, option);
}

function formatOption(name: string, aliases: readonly string[], option: Option<unknown>): string {
  const { kind, summary, default: value, needs } = option;
  const names = [name, ...aliases].map((each) => `--${each}`).join(", ");
  const form = kind.arity === "flag" ? `${names}[=<true|false>]` : `${names}=${kind.placeholder}`;
  const short = name === "logging" ? `-l, ${form}` : form;
  const text = value === undefined ? "" : kind.format(value as never);
  const notes = [
    text === "" || text === "false" ? "" : `Default: ${text}.`,
    needs === undefined ? "" : `Needs --${toOptionName(needs)}.`,
  ];
  return formatEntry(short, [summary, ...notes.filter((note) => note !== "")].join(" "));
}

function formatEntry(head: string, text: string): string {
  return [
    `${INDENT}${head}`,
    ...wrap(text, WIDTH - GAP.length).map((line) => `${GAP}${line}`),
  ].join("\n");
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
