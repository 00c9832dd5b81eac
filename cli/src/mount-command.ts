import { Command as OclifCommand } from "@oclif/core/command";
import {
  type AnyCommand,
  ConfigError,
  Configuration,
  closestTo,
  type Layer,
  type Node,
  OptionSchema,
  runCommand,
  silentLogs,
} from "@plinth/core";
import { processIo } from "./command-io.js";
import { parseWords } from "./grammar.js";
import { formatCommandHelp } from "./help.js";
import { PROGRAM_WORDS } from "./program-words.js";
import { commandLineLayer } from "./sources.js";

/** What commands run on. */
export interface CommandSurroundings {
  readonly node: Node;
  /** Aborts when the operator asks the command to stop. */
  readonly signal: AbortSignal;
  /** Asks for the node to run once the command has ended well. */
  runNode(): void;
}

/** Makes an oclif command of a definition; its own words are read with the one grammar. */
export function mountCommand(
  definition: AnyCommand,
  { node, signal, runNode }: CommandSurroundings,
): typeof OclifCommand {
  return class extends OclifCommand {
    static override readonly id = definition.id.replaceAll(" ", ":");
    static override readonly summary = definition.summary;
    static override readonly strict = false;

    /** Answers the exit code. */
    override async run(): Promise<number> {
      const { flags, args, help } = readCommandWords(definition, this.argv);
      if (help) {
        await processIo.write(formatCommandHelp(definition).trimEnd());
        return 0;
      }
      const log = silentLogs.for(definition.id);
      const program = PROGRAM_WORDS;
      return runCommand(node, definition, {
        ...{ flags, args, program },
        ...{ io: processIo, log, signal, runNode },
      });
    }
  };
}

/** The flags and words of a command line after the command's name. */
export function readCommandWords(definition: AnyCommand, words: readonly string[]) {
  const schema = new OptionSchema();
  schema.declare(definition.id, definition.flags);
  const args: string[] = [];
  const values = new Map<string, string>();
  let help = false;
  let rest = words;
  for (;;) {
    const parsed = parseWords(rest, schema);
    for (const [name, value] of parsed.values) values.set(name, value);
    help ||= parsed.switches.has("help");
    if (parsed.rest.length === 0) break;
    args.push(parsed.rest[0] ?? "");
    rest = parsed.rest.slice(1);
  }
  if (!help) verifyArgs(definition, args);
  const layers: Layer[] = [commandLineLayer(values)];
  const flags = new Configuration(schema, layers).valuesOf(definition.flags);
  return { flags, args, help };
}

function verifyArgs({ id, args: taken, flags }: AnyCommand, given: readonly string[]): void {
  const { min = 0, max = 0, placeholder = "" } = taken ?? {};
  if (given.length < min) {
    throw new ConfigError("ARGUMENT_MISSING", {
      message: `Missing required parameter: '<${placeholder}>'; usage: plinth ${id} ${placeholder}`,
    });
  }
  const surplus = given[max];
  if (given.length <= max || surplus === undefined) return;
  const similar = closestTo(surplus, Object.keys(flags));
  throw new ConfigError("ARGUMENT_UNMATCHED", {
    message: `Unmatched argument at index ${max}: '${surplus}'`,
    hints: similar.length === 0 ? [] : [`Possible solutions: --${similar.join(", --")}`],
  });
}
