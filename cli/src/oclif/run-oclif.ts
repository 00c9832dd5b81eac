import type { Interfaces } from "@oclif/core";
import { ConfigError, messageOf, PlinthError } from "@plinth/core";
import { findCommand, unmatched, type Wanted } from "../argv.js";
import { type ConfigContent, createConfig } from "./create-config.js";
import { fromOclifId, toOclifId } from "./oclif-id.js";
import { suggestCommand } from "./suggest-command.js";

/** Runs a command by its words, or shows the help of a topic; the result is the exit code. */
export async function runOclif(
  words: readonly string[],
  content: Omit<ConfigContent, "word">,
): Promise<number> {
  const config = await createConfig({ ...content, word: words[0] ?? "" });
  const ids = new Set(config.commands.map(({ id }) => fromOclifId(id)));
  let wanted: Wanted;
  try {
    wanted = findCommand(words, ids);
  } catch (error) {
    return suggestCommand(words, config, error);
  }
  if (wanted.kind === "group") {
    return help(config, verifyOnlyHelp(wanted));
  }
  const id = toOclifId(wanted.id);
  const argv = [...wanted.rest];
  const isOurs = content.commands.some((known) => known.id === wanted.id);
  const run = async () => {
    await config.runHook("init", { id, argv });
    return isOurs ? config.runCommand<number>(id, argv) : runOther(config, id, argv);
  };
  const [ended] = await Promise.allSettled([run()]);
  const error = ended.status === "rejected" ? ended.reason : undefined;
  await config.runHook("finally", { id, argv, Command: config.findCommand(id), error });
  if (ended.status === "fulfilled") return ended.value;
  if (error instanceof PlinthError || (isOurs && !isOfOclif(error))) throw error;
  const { reportError } = await import("./report-error.js");
  await reportError(error);
  return 1;
}

/** The result with which a plugin's hook ends a command. */
function isOfOclif(error: unknown): boolean {
  return error instanceof Error && "oclif" in error;
}

async function help(config: Interfaces.Config, id: string): Promise<number> {
  const { showHelp } = await import("./show-help.js");
  await showHelp(config, id);
  return 0;
}

/** A command of an oclif plugin: its arguments are parsed by oclif. */
async function runOther(config: Interfaces.Config, id: string, argv: string[]): Promise<number> {
  const end = argv.indexOf("--");
  if (argv.slice(0, end < 0 ? argv.length : end).includes("--help")) {
    return help(config, fromOclifId(id));
  }
  await verifyLoadable(config, id);
  verifyNoTopic(config, id, argv);
  await config.runCommand(id, argv);
  return Number(process.exitCode ?? 0);
}

/**
 * A word after a topic that is itself a command without arguments, like `plugins`, is not a
 * subcommand.
 */
function verifyNoTopic(config: Interfaces.Config, id: string, [word = "-"]: string[]): void {
  const { args, strict } = config.findCommand(id, { must: true });
  const takesWords = strict === false || Object.keys(args ?? {}).length > 0;
  const isTopic = config.commandIDs.some((each) => each.startsWith(`${id}:`));
  if (takesWords || !isTopic || word.startsWith("-")) return;
  throw unmatched(id.split(":").length, word, fromOclifId(id), config.commandIDs.map(fromOclifId));
}

/** A plugin with a manifest is listed without being imported; a failing import is detected here. */
async function verifyLoadable(config: Interfaces.Config, id: string): Promise<void> {
  const command = config.findCommand(id, { must: true });
  try {
    await command.load();
  } catch (error) {
    const plugin = command.pluginName ?? command.pluginAlias ?? "";
    throw new ConfigError("PLUGIN_UNLOADABLE", {
      message: `plugin "${plugin}" cannot be loaded: ${messageOf(error).split("\n")[0]}`,
      plugin,
      cause: error,
    });
  }
}

/** `plinth rlp --help` is the same as `plinth rlp`; any other option needs a command. */
function verifyOnlyHelp({ words, rest }: Extract<Wanted, { kind: "group" }>): string {
  const stray = rest.find((word) => word !== "-h" && word !== "--help");
  if (stray === undefined) return words;
  throw new ConfigError("OPTION_UNKNOWN", { message: `Unknown option: '${stray}'` });
}
