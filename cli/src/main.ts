import {
  type AnyCommand,
  ConfigError,
  configureNode,
  coreVersion,
  formatClientVersion,
  messageOf,
  Node,
  PlinthError,
  type PreparedNode,
  type ResolvedPlugins,
  runCommand,
  silentLogs,
  systemClock,
} from "@plinth/core";
import { findCommand, type Wanted } from "./argv.js";
import { verifyCommandBuilt } from "./besu/commands.js";
import { processIo } from "./command-io.js";
import { readCommandWords } from "./command-words.js";
import { CONFIG_COMMAND, configCommand } from "./commands/config.js";
import { generateCompletion } from "./commands/generate-completion.js";
import { migrateBesu } from "./commands/migrate-besu.js";
import { pluginsInstall } from "./commands/plugins-install.js";
import { pluginsList } from "./commands/plugins-list.js";
import { pluginsOrder } from "./commands/plugins-order.js";
import { pluginsRemove } from "./commands/plugins-remove.js";
import { pluginsUpdate } from "./commands/plugins-update.js";
import { validateConfig } from "./commands/validate-config.js";
import { findEarly } from "./early-options.js";
import { formatCommandHelp, formatGroupHelp, formatHelp, formatProfileHelp } from "./help.js";
import { InstalledPlugins } from "./installed-plugins.js";
import { pluginHome } from "./plugin-home.js";
import { findProfileCommand, PROFILE_COMMANDS, type ProfileCommand } from "./profile-command.js";
import { loadProgram, loadProgramForHelp, type Program, type Surroundings } from "./program.js";
import { PROGRAM_WORDS } from "./program-words.js";
import { onSignals } from "./signals.js";

/** Exit codes: bad usage or configuration, and a fault while running. */
const USAGE = 2;
const FAULT = 1;

const CLOSING = ["", "To display full help:", "plinth [COMMAND] --help"];

/** Runs the program and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  // A copy, because lookups in the real one are slow and there are hundreds of options.
  const surroundings = { environment: { ...process.env }, workingFolder: process.cwd() };
  try {
    process.exitCode = await run(argv, surroundings);
  } catch (error) {
    process.exitCode = report(error);
  }
}

async function run(given: readonly string[], surroundings: Surroundings): Promise<number> {
  const found = findProfileCommand(given);
  const argv = found?.argv ?? given;
  const { words } = findEarly(argv);
  const asks = (...forms: readonly string[]) => words.some((word) => forms.includes(word));
  if (asks("-h", "--help") && found !== undefined) {
    return showProfileHelp(argv, surroundings, found.command);
  }
  if (asks("-h", "--help")) return showHelp(argv, surroundings, false);
  if (asks("-X", "--Xhelp")) return showHelp(argv, surroundings, true);
  if (asks("-V", "--version")) return showVersion(argv, surroundings);

  const program = await loadProgram(argv, surroundings, found?.command.names);
  return program.parsed.rest.length === 0 ? startNode(program) : runSubCommand(program);
}

async function runSubCommand(program: Program): Promise<number> {
  const { resolved, layers, parsed, surroundings } = program;
  const prepared = configureNode(resolved, layers);
  // A configuration that plugins refuse can still be shown.
  const isShown = parsed.rest[0] === CONFIG_COMMAND;
  const registered = isShown ? configureNode(resolved, []) : prepared;
  const { node, commands } = await registerCommands(registered, surroundings, prepared);
  verifyCommandBuilt(parsed.rest);
  const wanted = findCommand(parsed.rest, commands);
  if (wanted.kind !== "command") {
    write(formatGroupHelp(wanted.kind === "group" ? verifyOnlyHelp(wanted) : "", commands));
    return 0;
  }
  const stop = new AbortController();
  let isNodeWanted = false;
  const runNode = () => {
    isNodeWanted = true;
  };
  const removeHandlers = onSignals(process, {
    stop: () => stop.abort(),
    force: () => process.exit(FAULT),
  });
  let code = 0;
  try {
    code = await runWords(wanted, { node, signal: stop.signal, runNode });
  } catch (error) {
    const isPlain = error instanceof Error && isSystemError(error);
    if (!isPlain && (error instanceof ConfigError || !(error instanceof PlinthError))) throw error;
    writeError([error.message]);
    return FAULT;
  } finally {
    removeHandlers();
  }
  return isNodeWanted && code === 0 ? startNode(program) : code;
}

/** Runs a command with the words after its name; answers the exit code. */
async function runWords(
  { command, rest }: Extract<Wanted, { kind: "command" }>,
  surroundings: { readonly node: Node; readonly signal: AbortSignal; runNode(): void },
): Promise<number> {
  const { flags, args, help } = readCommandWords(command, rest);
  if (help) {
    await processIo.write(formatCommandHelp(command).trimEnd());
    return 0;
  }
  const { node, signal, runNode } = surroundings;
  const log = silentLogs.for(command.id);
  const program = PROGRAM_WORDS;
  return runCommand(node, command, { flags, args, program, io: processIo, log, signal, runNode });
}

async function startNode(program: Program): Promise<number> {
  const { runNode } = await import("./commands/run.js");
  return runNode(program);
}

/** `plinth rlp --help` is the same as `plinth rlp`; any other option needs a command. */
function verifyOnlyHelp({ words, rest }: Extract<Wanted, { kind: "group" }>): string {
  const stray = rest.find((word) => word !== "-h" && word !== "--help");
  if (stray === undefined) return words;
  throw new ConfigError("OPTION_UNKNOWN", { message: `Unknown option: '${stray}'` });
}

/** The commands of plugins and the program; `shown` is the configuration that they are about. */
async function registerCommands(
  prepared: PreparedNode,
  surroundings: Surroundings,
  shown = prepared,
) {
  const node = await Node.register(prepared, { logs: silentLogs, clock: systemClock });
  const { environment, workingFolder } = surroundings;
  const settings = {
    installed: new InstalledPlugins(pluginHome(environment)),
    workingFolder,
    loaded: prepared.ordered.map(({ plugin }) => plugin),
  };
  const commands: AnyCommand[] = [
    ...node.commands().map(({ item }) => item),
    pluginsOrder(prepared),
    pluginsInstall(settings),
    pluginsList(settings),
    pluginsUpdate(settings),
    pluginsRemove(settings),
    configCommand(shown),
    validateConfig(prepared.schema),
    migrateBesu(prepared.schema),
  ];
  commands.push(generateCompletion(prepared.schema, commands));
  return { node, commands };
}

async function showHelp(
  argv: readonly string[],
  surroundings: Surroundings,
  experimental: boolean,
): Promise<number> {
  const resolved = await loadForHelp(argv, surroundings);
  const { commands } = await registerCommands(configureNode(resolved, []), surroundings);
  const options = resolved.schema.all();
  write(formatHelp({ options, commands, profiles: PROFILE_COMMANDS, experimental }));
  return 0;
}

async function showProfileHelp(
  argv: readonly string[],
  surroundings: Surroundings,
  command: ProfileCommand,
): Promise<number> {
  const { schema } = await loadForHelp(argv, surroundings);
  write(formatProfileHelp(command, (name) => schema.find(name)?.option));
  return 0;
}

async function showVersion(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { ordered } = await loadForHelp(argv, surroundings);
  const lines = [formatClientVersion(coreVersion()), ...ordered.map(({ plugin }) => plugin.name)];
  write(`${lines.join("\n")}\n`);
  return 0;
}

function loadForHelp(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<ResolvedPlugins> {
  return loadProgramForHelp(argv, surroundings, (message) => writeError([message]));
}

/** Says what went wrong in one line; of a bug, the stack as well. */
function report(error: unknown): number {
  if (error instanceof PlinthError) {
    const hints = error.details.hints;
    writeError([error.message, ...(Array.isArray(hints) ? hints : []), ...CLOSING]);
    return USAGE;
  }
  const stack = error instanceof Error && !isSystemError(error) ? error.stack : undefined;
  writeError([
    `Failed to start Plinth: ${messageOf(error)}`,
    ...(stack === undefined ? [] : [stack]),
  ]);
  return FAULT;
}

/** A disk that is full, a folder that may not be written, a port in use: no bug of the program. */
function isSystemError(error: Error): boolean {
  return "syscall" in error && "errno" in error;
}

function write(text: string): void {
  process.stdout.write(text);
}

function writeError(lines: readonly string[]): void {
  process.stderr.write(`${lines.join("\n")}\n`);
}
