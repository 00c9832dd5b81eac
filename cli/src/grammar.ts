import { ConfigError, type Option } from "@plinth/core";
import { closestTo, suggestionHints } from "@plinth/core/kernel";

/** An option as the grammar needs it. */
export interface KnownOption {
  /** Without dashes. */
  readonly name: string;
  readonly option: Option<unknown>;
}

/** The known options. */
export interface Vocabulary {
  /** By name or alias, without dashes. */
  find(name: string): KnownOption | undefined;
  similarTo(name: string): readonly string[];
}

/** Options that every level understands. */
export type Switch = "help" | "version" | "Xhelp";

/** A command line, parsed up to the first argument that is not an option. */
export interface ParsedWords {
  /** Values by option name; those of a repeated list are joined by commas. */
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<Switch>;
  /** The rest, starting with the first argument that is not an option. */
  readonly rest: readonly string[];
}

const SWITCHES: Readonly<Record<string, Switch>> = {
  "-h": "help",
  "--help": "help",
  "-V": "version",
  "--version": "version",
  "-X": "Xhelp",
  "--Xhelp": "Xhelp",
};

const SWITCH_NAMES = ["help", "version"];

/** The only option with a short form. */
const SHORT_FORMS: Readonly<Record<string, string>> = { "-l": "--logging" };

/** Parses options and their values up to the first other argument. */
export function parseWords(words: readonly string[], vocabulary: Vocabulary): ParsedWords {
  const values = new Map<string, string>();
  const switches = new Set<Switch>();
  let position = 0;
  while (position < words.length) {
    const word = words[position] ?? "";
    if (!isOption(word)) break;
    position += 1;
    const found = SWITCHES[word];
    if (found !== undefined) {
      switches.add(found);
      continue;
    }
    const { known, inline } = readName(word, vocabulary);
    const taken = takeValues(known, inline, words.slice(position));
    position += taken.count;
    addValue(values, known, taken.value);
  }
  return { values, switches, rest: words.slice(position) };
}

function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith("-");
}

function readName(word: string, vocabulary: Vocabulary) {
  const split = word.indexOf("=");
  const form = split < 0 ? word : word.slice(0, split);
  const long = SHORT_FORMS[form] ?? form;
  const name = long.replace(/^--/, "");
  const known = long.startsWith("--") ? vocabulary.find(name) : undefined;
  if (known === undefined) {
    const similar = [...closestTo(name, SWITCH_NAMES), ...vocabulary.similarTo(name)];
    throw new ConfigError("OPTION_UNKNOWN", {
      message: `Unknown option: '${form}'`,
      option: form,
      hints: suggestionHints(similar.map((candidate) => `--${candidate}`)),
    });
  }
  return { known, inline: split < 0 ? undefined : word.slice(split + 1) };
}

/** Number of following arguments that belong to the option, and their value. */
function takeValues(
  { name, option: { kind } }: KnownOption,
  inline: string | undefined,
  following: readonly string[],
): { readonly value: string; readonly count: number } {
  if (inline !== undefined) return { value: inline, count: 0 };
  const [next] = following;
  if (kind.arity === "flag") {
    const isValue = next === "true" || next === "false";
    return isValue ? { value: next, count: 1 } : { value: "true", count: 0 };
  }
  if (next === undefined || (isOption(next) && !/^-\d/.test(next))) {
    throw new ConfigError("OPTION_VALUE_MISSING", {
      message: `Missing required parameter for option '--${name}' (${kind.placeholder})`,
      option: name,
    });
  }
  if (kind.arity === "one") return { value: next, count: 1 };
  const end = following.findIndex(isOption);
  const taken = end < 0 ? following : following.slice(0, end);
  return { value: taken.join(","), count: taken.length };
}

function addValue(
  values: Map<string, string>,
  { name, option: { kind } }: KnownOption,
  value: string,
) {
  const before = values.get(name);
  if (before !== undefined && !kind.repeatable) {
    throw new ConfigError("OPTION_REPEATED", {
      message: `option '--${name}' (${kind.placeholder}) should be specified only once`,
      option: name,
    });
  }
  values.set(name, before === undefined ? value : `${before},${value}`);
}
