import {
  type AnyCommand,
  ConfigError,
  Configuration,
  closestTo,
  type Layer,
  OptionSchema,
} from "@plinth/core";
import { parseWords } from "./grammar.js";
import { commandLineLayer } from "./sources.js";

/** What decides how the words of a command are read. */
type ReadCommand = Pick<AnyCommand, "id" | "flags" | "args">;

/** The flags and words of a command line after the command's name. */
export function readCommandWords(definition: ReadCommand, words: readonly string[]) {
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

function verifyArgs({ id, args: taken, flags }: ReadCommand, given: readonly string[]): void {
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
