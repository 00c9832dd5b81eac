import { ConfigError } from "@plinth/core";
import { type Layer, type OptionSchema, toVariableName } from "@plinth/core/kernel";
import type { ConfigFile } from "./config-file.js";

/** The environment as a program sees it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Our prefix first, then that of Besu, whose command lines we accept. */
export const PREFIXES: readonly string[] = ["PLINTH_", "BESU_"];

/** Keys of a file that are about plugins and not options. */
const PLUGIN_KEYS: readonly string[] = ["preset", "plugins", "without"];

/** The variable that sets an option, with its value. */
export function findVariable(
  name: string,
  environment: Environment,
): { readonly variable: string; readonly text: string } | undefined {
  for (const prefix of PREFIXES) {
    const variable = `${prefix}${toVariableName(name)}`;
    const text = environment[variable];
    if (text !== undefined) return { variable, text };
  }
  return undefined;
}

/** The variables that have the prefix of an option. */
export function findPrefixed(environment: Environment): readonly string[] {
  return Object.keys(environment).filter((variable) =>
    PREFIXES.some((prefix) => variable.startsWith(prefix)),
  );
}

/** The value of an option that may be set by flag or by variable, but not by both. */
export function findEither(
  name: string,
  flags: ReadonlyMap<string, string>,
  environment: Environment,
): { readonly text: string; readonly variable?: string } | undefined {
  const flag = flags.get(name);
  const found = findVariable(name, environment);
  if (flag !== undefined && found !== undefined) throw bothGiven(name, flag, found.variable);
  return flag === undefined ? found : { text: flag };
}

/** The values of the command line. */
export function commandLineLayer(values: ReadonlyMap<string, string>): Layer {
  const entries = [...values].map(([name, text]) => [name, { text, label: `--${name}` }] as const);
  return { source: "command line", label: "command line", entries: new Map(entries) };
}

/** The values of the environment for the existing options. */
export function environmentLayer(schema: OptionSchema, environment: Environment): Layer {
  const options = findPrefixed(environment).length === 0 ? [] : schema.all();
  const entries = options.flatMap(({ name, aliases }) =>
    [name, ...aliases].flatMap((candidate) => {
      const found = findVariable(candidate, environment);
      if (found === undefined) return [];
      const { variable, text } = found;
      return [[candidate, { text, label: `environment variable ${variable}` }] as const];
    }),
  );
  return { source: "environment", label: "environment", entries: new Map(entries) };
}

/** The option values of a file. */
export function fileLayer(file: ConfigFile, source: "file" | "profile"): Layer {
  const { label, path, values } = file;
  const entries = [...values]
    .filter(([key]) => !PLUGIN_KEYS.includes(key))
    .map(([key, value]) => [key, { value, label: path }] as const);
  const layer = { source, label, entries: new Map(entries) };
  // Relative paths in a profile are relative to the profile; those in a file, as in Besu, to the
  // working folder.
  return source === "profile" ? { ...layer, folder: file.folder } : layer;
}

/** `PLINTH_HOME`, the folder of an installation, is the default location of the data. */
export function homeLayer({ PLINTH_HOME: home }: Environment): Layer {
  const entries =
    home === undefined ? [] : [["data-path", { text: home, label: "PLINTH_HOME" }] as const];
  return { source: "default", label: "default", entries: new Map(entries) };
}

function bothGiven(name: string, flag: string, variable: string): ConfigError {
  return new ConfigError("OPTION_REPEATED", {
    message: `Both --${name}=${flag} and ${variable} specified. Please specify only one.`,
    option: name,
  });
}
