import { Command } from "@oclif/core/command";
import { type Option, type Options, toOptionName } from "@plinth/core";
import type { CommandArguments } from "@plinth/core/cli";
import { splitWords } from "../command-words.js";
import type { KnownCommand, LoadedCommand } from "../known-command.js";
import { toOclifId } from "./oclif-id.js";

/** Runs a loaded command with the arguments after its name; the result is the exit code. */
export type Execute = (loaded: LoadedCommand, words: readonly string[]) => Promise<number>;

/** One of our commands as oclif lists it: nothing is imported until it runs. */
export function toLoadable(known: KnownCommand, execute: Execute): Command.Loadable {
  const { id, plugin, summary, examples = [], args } = known;
  return {
    id: toOclifId(id),
    summary: literal(summary),
    examples: examples.map(literal),
    get flags() {
      return toFlags(known.flags);
    },
    args: toArgs(args),
    aliases: [],
    hiddenAliases: [],
    hidden: false,
    strict: (args?.max ?? 0) <= 1,
    hasDynamicHelp: false,
    pluginName: plugin,
    pluginAlias: plugin,
    pluginType: "core",
    load: async () => toClass(known, execute),
  };
}

/**
 * The class that oclif runs.
 *
 * Its arguments are parsed by our grammar and not by oclif's parser: lists, repeated options and
 * error messages are those of Besu's command line, which scripts match.
 */
function toClass(known: KnownCommand, execute: Execute): Command.Class {
  return class extends Command {
    static override id = toOclifId(known.id);

    override async run(): Promise<number> {
      this.parsed = true;
      const asksForHelp = this.argv.includes("--help") || this.argv.includes("-h");
      if (asksForHelp && splitWords(known, this.argv).help) {
        const { showHelp } = await import("./show-help.js");
        await showHelp(this.config, known.id);
        return 0;
      }
      return execute(await known.load(), this.argv);
    }

    /** The program reports errors itself. */
    protected override async catch(error: Error): Promise<never> {
      throw error;
    }
  };
}

function toFlags(options: Options): Command.Loadable["flags"] {
  const flags = Object.entries(options).map(([key, option]) => {
    const name = toOptionName(key);
    return [name, toFlag(name, option)] as const;
  });
  const help = { name: "help", char: "h", type: "boolean", summary: "Shows this help." };
  return Object.fromEntries([["help", help], ...flags]) as Command.Loadable["flags"];
}

function toFlag(name: string, { kind, summary, default: value }: Option<unknown>) {
  const shown = literal(summary);
  if (kind.arity === "flag") return { name, type: "boolean", summary: shown };
  const text = value === undefined ? "" : kind.format(value as never);
  return {
    name,
    type: "option",
    summary: shown,
    helpValue: kind.placeholder,
    multiple: kind.repeatable,
    ...(text === "" ? {} : { default: text }),
  };
}

function toArgs(args: CommandArguments | undefined): Command.Loadable["args"] {
  if (args === undefined) return {};
  const { placeholder: name, summary, min, max } = args;
  const description = literal(summary);
  return {
    [name]: { name, description, required: min > 0, multiple: max > 1 },
  } as Command.Loadable["args"];
}

/** oclif interprets texts as templates; ours are not. */
function literal(text: string): string {
  return text.replaceAll("<%", "<%%");
}
