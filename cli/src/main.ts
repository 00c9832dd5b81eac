import {
  ConfigError,
  coreVersion,
  formatClientVersion,
  messageOf,
  PlinthError,
  runCommand,
  silentLogs,
} from "@plinth/core";
import { findCommand, type Wanted } from "./argv.js";
import { verifyCommandBuilt } from "./besu/commands.js";
import { processIo } from "./command-io.js";
import { readCommandWords } from "./command-words.js";
import { findEarly } from "./early-options.js";
import { formatCommandHelp, formatGroupHelp, formatHelp, formatProfileHelp } from "./help.js";
import type { KnownCommand } from "./known-command.js";
import { listCommands } from "./loading/list-commands.js";
import { findProfileCommand, PROFILE_COMMANDS, type ProfileCommand } from "./profile-command.js";
import {
  type KnownProgram,
  loadProgram,
  loadProgramForHelp,
  type Program,
  type Surroundings,
} from "./program.js";
import { programCommands } from "./program-commands.js";
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
  const { parsed } = program;
  const commands = await listAll(program, program.surroundings);
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
    code = await runWords(wanted, { signal: stop.signal, runNode });
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
  { command: known, rest }: Extract<Wanted<KnownCommand>, { kind: "command" }>,
  { signal, runNode }: { readonly signal: AbortSignal; runNode(): void },
): Promise<number> {
  if (readCommandWords(known, rest).help) {
    await processIo.write(formatCommandHelp(known).trimEnd());
    return 0;
  }
  const { command, node } = await known.load();
  const { flags, args } = readCommandWords(command, rest);
  const log = silentLogs.for(command.id);
  const program = PROGRAM_WORDS;
  return runCommand(node, command, { flags, args, program, io: processIo, log, signal, runNode });
}

async function startNode(program: Program): Promise<number> {
  const { runNode } = await import("./commands/run.js");
  return runNode(program);
}

/** `plinth rlp --help` is the same as `plinth rlp`; any other option needs a command. */
function verifyOnlyHelp({ words, rest }: Extract<Wanted<KnownCommand>, { kind: "group" }>): string {
  const stray = rest.find((word) => word !== "-h" && word !== "--help");
  if (stray === undefined) return words;
  throw new ConfigError("OPTION_UNKNOWN", { message: `Unknown option: '${stray}'` });
}

/** The commands of plugins and of the program. */
async function listAll(
  program: KnownProgram,
  surroundings: Surroundings,
): Promise<readonly KnownCommand[]> {
  const commands = await listCommands(program);
  return [...commands, ...programCommands(program, surroundings, commands)];
}

async function showHelp(
  argv: readonly string[],
  surroundings: Surroundings,
  experimental: boolean,
): Promise<number> {
  const program = await loadForHelp(argv, surroundings);
  const commands = await listAll(program, surroundings);
  const options = program.resolved.schema.all();
  write(formatHelp({ options, commands, profiles: PROFILE_COMMANDS, experimental }));
  return 0;
}

async function showProfileHelp(
  argv: readonly string[],
  surroundings: Surroundings,
  command: ProfileCommand,
): Promise<number> {
  const { schema } = (await loadForHelp(argv, surroundings)).resolved;
  write(formatProfileHelp(command, (name) => schema.find(name)?.option));
  return 0;
}

async function showVersion(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { ordered } = (await loadForHelp(argv, surroundings)).resolved;
  const lines = [formatClientVersion(coreVersion()), ...ordered.map(({ plugin }) => plugin.name)];
  write(`${lines.join("\n")}\n`);
  return 0;
}

function loadForHelp(argv: readonly string[], surroundings: Surroundings): Promise<KnownProgram> {
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
