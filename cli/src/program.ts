import { ConfigError } from "@plinth/core";
import { closestTo, type Layer, type OptionSchema } from "@plinth/core/kernel";
import { type ResolvedPlugins, resolvePlugins } from "@plinth/node";
import { declareBesuOptions } from "./besu/declare.js";
import { type ConfigFile, loadConfigFile, searchConfigFile } from "./config-file.js";
import { findEarly } from "./early-options.js";
import { type ParsedWords, parseWords, type Vocabulary } from "./grammar.js";
import { describePlugins, type KnownPlugin } from "./loading/known-plugin.js";
import { pluginHome } from "./plugin-home.js";
import { findPlugins, readPluginChoice } from "./plugin-list.js";
import { loadProfile } from "./profiles.js";
import { programOptions } from "./program-options.js";
import {
  commandLineLayer,
  type Environment,
  environmentLayer,
  fileLayer,
  findEither,
  homeLayer,
} from "./sources.js";

/** The owner of the program's own options. */
export const PROGRAM = "plinth";

/** The environment of the program. */
export interface ProgramContext {
  readonly environment: Environment;
  readonly workingFolder: string;
}

/**
 * Plugins, in order and with their options; those that are not loaded are known by their manifests.
 */
export interface KnownProgram {
  readonly known: readonly KnownPlugin[];
  readonly resolved: ResolvedPlugins;
  /** Strongest first. */
  readonly layers: readonly Layer[];
}

/** A parsed command line: plugins, options and their layers. */
export interface Program extends KnownProgram {
  readonly parsed: ParsedWords;
  readonly programContext: ProgramContext;
}

/**
 * Determines the requested plugins, and parses the command line with their options.
 *
 * `names` are other names for options, by their meaning.
 */
export async function loadProgram(
  argv: readonly string[],
  programContext: ProgramContext,
  names: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const early = findEarly(argv);
  const file = await findConfigFile(early.values, programContext);
  const profile = await findProfile(early.values, file, programContext);
  const known = await findChosenPlugins({ file, profile }, programContext);
  const resolved = resolveProgram(known);
  const parsed = parseWords(argv, withNames(resolved.schema, names));
  const layers = [
    commandLineLayer(parsed.values),
    environmentLayer(resolved.schema, programContext.environment),
    ...(file === undefined ? [] : [fileLayer(file, "file")]),
    ...(profile === undefined ? [] : [fileLayer(profile, "profile")]),
    homeLayer(programContext.environment),
  ];
  return { known, resolved, parsed, layers, programContext };
}

/** The program as help and version need it: a broken configuration is reported and ignored. */
export async function loadProgramForHelp(
  argv: readonly string[],
  programContext: ProgramContext,
  warn: (message: string) => void,
): Promise<KnownProgram> {
  try {
    const { values } = findEarly(argv);
    const file = await findConfigFile(values, programContext);
    const profile = await findProfile(values, file, programContext);
    return withoutValues(await findChosenPlugins({ file, profile }, programContext));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    warn(`the configuration is ignored: ${error.message}`);
    return withoutValues(await findChosenPlugins({}, programContext));
  }
}

function withoutValues(known: readonly KnownPlugin[]): KnownProgram {
  return { known, resolved: resolveProgram(known), layers: [] };
}

/** The options, including their names in a command. */
function withNames(schema: OptionSchema, names: Readonly<Record<string, string>>): Vocabulary {
  const known = Object.keys(names);
  return {
    find: (name) => schema.find(Object.hasOwn(names, name) ? (names[name] ?? name) : name),
    similarTo: (name) => [...new Set([...closestTo(name, known), ...schema.similarTo(name)])],
  };
}

/** Orders plugins, with the options of the program beside theirs. */
export function resolveProgram(known: readonly KnownPlugin[]): ResolvedPlugins {
  const resolved = resolvePlugins(describePlugins(known));
  resolved.schema.declare(PROGRAM, programOptions);
  declareBesuOptions(resolved.schema);
  return resolved;
}

async function findConfigFile(
  flags: ReadonlyMap<string, string>,
  { environment, workingFolder }: ProgramContext,
): Promise<ConfigFile | undefined> {
  const named = findEither("config-file", flags, environment);
  if (named === undefined) return searchConfigFile(workingFolder);
  return loadConfigFile(programOptions.configFile.kind.parse(named.text, {}), named.variable);
}

async function findProfile(
  flags: ReadonlyMap<string, string>,
  file: ConfigFile | undefined,
  { environment }: ProgramContext,
): Promise<ConfigFile | undefined> {
  const named = findEither("profile", flags, environment)?.text ?? file?.values.get("profile");
  return typeof named === "string" ? loadProfile(named, environment.PLINTH_HOME) : undefined;
}

function findChosenPlugins(
  {
    file,
    profile,
  }: { readonly file?: ConfigFile | undefined; readonly profile?: ConfigFile | undefined },
  { environment, workingFolder }: ProgramContext,
): Promise<readonly KnownPlugin[]> {
  return findPlugins(readPluginChoice(file, profile), {
    config: file?.folder ?? workingFolder,
    working: workingFolder,
    installed: pluginHome(environment),
  });
}
