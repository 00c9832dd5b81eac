import { ConfigError } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { Configuration, closestTo, type Layer, OptionSchema } from "@plinth/core/kernel";
import { parseWords } from "./grammar.js";
import { commandLineLayer } from "./sources.js";

/** The syntax of arguments: a command, or its listing before it is loaded. */
type Definition = Pick<AnyCommand, "id" | "flags" | "args">;

/** The flags and positional arguments after the command's name. */
export function readCommandWords(definition: AnyCommand, words: readonly string[]) {
  const { schema, values, args, help } = splitWords(definition, words);
  const layers: Layer[] = [commandLineLayer(values)];
  const flags = new Configuration(schema, layers).valuesOf(definition.flags);
  return { flags, args, help };
}

/** Flags as typed, positional arguments, and whether help is requested; no value is parsed. */
export function splitWords(definition: Definition, words: readonly string[]) {
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
  return { schema, values, args, help };
}

function verifyArgs({ id, args: taken, flags }: Definition, given: readonly string[]): void {
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
