import { ConfigError, messageOf, PlinthError } from "@plinth/core";
import { coreVersion, formatClientVersion, silentLogs } from "@plinth/core/kernel";
import { runCommand } from "@plinth/node";
import { verifyCommandBuilt } from "./besu/commands.js";
import { processIo } from "./command-io.js";
import { readCommandWords } from "./command-words.js";
import { findEarly } from "./early-options.js";
import { type AskedHelp, findHelp } from "./help/find-help.js";
import { formatAll, formatExperimental, formatGroup } from "./help/option-groups.js";
import { formatOverview } from "./help/overview.js";
import { formatProfileHelp } from "./help/profile-help.js";
import type { KnownCommand, LoadedCommand } from "./known-command.js";
import { addInstalled } from "./loading/add-installed.js";
import { listCommands } from "./loading/list-commands.js";
import { OCLIF_COMMANDS } from "./oclif/oclif-commands.js";
import { findProfileCommand, type ProfileCommand } from "./profile-command.js";
import {
  type KnownProgram,
  loadProgram,
  loadProgramForHelp,
  PROGRAM,
  type Program,
  type ProgramContext,
} from "./program.js";
import { completedOptions, pluginSettings, programCommands } from "./program-commands.js";
import { PROGRAM_WORDS } from "./program-words.js";
import { onSignals } from "./signals.js";

/** Exit codes: invalid usage or configuration, and a fault at runtime. */
const USAGE = 2;
const FAULT = 1;

const CLOSING = ["", "To display full help:", "plinth [COMMAND] --help"];

/** Runs the program and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  // A copy, because lookups in the real one are slow and there are hundreds of options.
  const programContext = { environment: { ...process.env }, workingFolder: process.cwd() };
  try {
    process.exitCode = await run(argv, programContext);
  } catch (error) {
    process.exitCode = report(error);
  }
}

async function run(given: readonly string[], programContext: ProgramContext): Promise<number> {
  const found = findProfileCommand(given);
  const argv = found?.argv ?? given;
  const help = findHelp(argv);
  if (help !== undefined) {
    if (found !== undefined) return showProfileHelp(argv, programContext, found.command);
    return showHelp(help, programContext);
  }
  const { words } = findEarly(argv);
  const asks = (...forms: readonly string[]) => words.some((word) => forms.includes(word));
  if (asks("-X", "--Xhelp")) return showExperimental(argv, programContext);
  if (asks("-V", "--version")) return showVersion(argv, programContext);

  const names = { ...found?.command.names, ...found?.command.otherNames };
  const program = await loadProgram(argv, programContext, names);
  return program.parsed.rest.length === 0 ? startNode(program) : runSubCommand(program);
}

async function runSubCommand(program: Program): Promise<number> {
  const { resolved, parsed, programContext } = program;
  const commands = await listAll(program, programContext);
  verifyCommandBuilt(parsed.rest);
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
    const { runOclif } = await import("./oclif/run-oclif.js");
    code = await runOclif(parsed.rest, {
      commands,
      options: completedOptions(resolved.schema),
      pluginCommands: pluginSettings(programContext),
      execute: (loaded, words) => execute(loaded, words, { signal: stop.signal, runNode }),
      warn,
    });
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

/** Runs a command with the arguments after its name; the result is the exit code. */
function execute(
  { command, node }: LoadedCommand,
  words: readonly string[],
  { signal, runNode }: { readonly signal: AbortSignal; runNode(): void },
): Promise<number> {
  const { flags, args } = readCommandWords(command, words);
  const log = silentLogs.for(command.id);
  const program = PROGRAM_WORDS;
  return runCommand(node, command, { flags, args, program, io: processIo, log, signal, runNode });
}

async function startNode(program: Program): Promise<number> {
  const { runNode } = await import("./commands/run.js");
  return runNode(program);
}

/** The commands of plugins and of the program; a plugin cannot override one of the program. */
async function listAll(
  program: KnownProgram,
  programContext: ProgramContext,
): Promise<readonly KnownCommand[]> {
  const { home } = pluginSettings(programContext);
  const extended = await addInstalled(program, home, warn);
  const listed = await listCommands(extended);
  const own = programCommands(program, programContext, () => ofPlugins);
  const taken = new Set([...own, ...OCLIF_COMMANDS].map(({ id }) => id));
  const ofPlugins = listed.filter(({ id, plugin }) => {
    if (taken.has(id)) {
      warn(`the command "${id}" of ${plugin} is skipped: ${PROGRAM} has it`);
    }
    return !taken.has(id);
  });
  return [...ofPlugins, ...own];
}

async function showHelp(
  { about, others }: AskedHelp,
  programContext: ProgramContext,
): Promise<number> {
  const program = await loadForHelp(others, programContext);
  const options = program.resolved.schema.all();
  const { listUserCommands } = await import("./oclif/list-user-commands.js");
  const { home } = pluginSettings(programContext);
  const users = await listUserCommands(home, warn);
  const commands = [...(await listAll(program, programContext)), ...OCLIF_COMMANDS, ...users];
  if (about === undefined) write(formatOverview(options, commands));
  else if (about === "all") write(formatAll({ options, commands }));
  else if (commands.some(({ id }) => `${id} `.startsWith(`${about} `))) {
    return run([...others, "--help"], programContext);
  } else write(formatGroup(about, options));
  return 0;
}

async function showExperimental(
  argv: readonly string[],
  programContext: ProgramContext,
): Promise<number> {
  const { schema } = (await loadForHelp(argv, programContext)).resolved;
  write(formatExperimental(schema.all()));
  return 0;
}

async function showProfileHelp(
  argv: readonly string[],
  programContext: ProgramContext,
  command: ProfileCommand,
): Promise<number> {
  const { schema } = (await loadForHelp(argv, programContext)).resolved;
  write(formatProfileHelp(command, (name) => schema.find(name)));
  return 0;
}

async function showVersion(
  argv: readonly string[],
  programContext: ProgramContext,
): Promise<number> {
  const { ordered } = (await loadForHelp(argv, programContext)).resolved;
  const lines = [formatClientVersion(coreVersion()), ...ordered.map(({ plugin }) => plugin.name)];
  write(`${lines.join("\n")}\n`);
  return 0;
}

function loadForHelp(
  argv: readonly string[],
  programContext: ProgramContext,
): Promise<KnownProgram> {
  return loadProgramForHelp(argv, programContext, warn);
}

/** Reports an error on one line; for a bug, with the stack. */
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

/** A full disk, a read-only folder, a port in use: not a bug of the program. */
function isSystemError(error: Error): boolean {
  return "syscall" in error && "errno" in error;
}

function write(text: string): void {
  process.stdout.write(text);
}

const warned = new Set<string>();

/** Reports it once, however often it occurs. */
function warn(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  writeError([message]);
}

function writeError(lines: readonly string[]): void {
  process.stderr.write(`${lines.join("\n")}\n`);
}
