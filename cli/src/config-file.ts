import { accessSync, constants, existsSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ConfigError, messageOf } from "@plinth/core";
import type { PublicExplorer } from "cosmiconfig";

/** The content of a configuration file. */
export interface ConfigFile {
  readonly path: string;
  /** The folder that plugin paths are relative to. */
  readonly folder: string;
  /** Its name in messages. */
  readonly label: string;
  /** Option names and the three keys about plugins, flat. */
  readonly values: ReadonlyMap<string, unknown>;
}

const FORMATS: Readonly<Record<string, string>> = {
  ".toml": "TOML",
  ".json": "JSON",
  ".yaml": "YAML",
  ".yml": "YAML",
  ".js": "JavaScript",
  ".mjs": "JavaScript",
  ".cjs": "JavaScript",
  ".ts": "TypeScript",
};

const ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".json", ".yaml", ".yml", ".toml"];
const withEndings = (name: string) => ENDINGS.map((ending) => `${name}${ending}`);

/** The names to search in a folder; only the first existing one is read. */
export const SEARCHED: readonly string[] = [
  ...withEndings("plinth.config"),
  "plinth.toml",
  ".plinthrc",
  ...withEndings(".plinthrc"),
  ".config/plinthrc",
  ...withEndings(".config/plinthrc"),
  ...withEndings(".config/plinth.config"),
  "package.json",
];

/** Reads exactly the given file; `variable` is the environment variable that specified it. */
export async function loadConfigFile(path: string, variable?: string): Promise<ConfigFile> {
  const format = formatOf(path);
  if (!existsSync(path)) {
    throw fileError(
      variable === undefined
        ? `Unable to read ${format} configuration, file not found: ${path}`
        : `${format} file ${path} specified in environment variable ${variable} not found`,
    );
  }
  const found = await explore(path, (explorer) => explorer.load(path));
  return toConfigFile(path, found?.config ?? {});
}

/** Searches a folder for a file, under the default names. */
export async function searchConfigFile(folder: string): Promise<ConfigFile | undefined> {
  const found = await explore(folder, (explorer) => explorer.search(folder));
  verifyReadable(folder, found?.filepath);
  return found === null ? undefined : toConfigFile(found.filepath, found.config ?? {});
}

/** Reads with cosmiconfig; errors are one line, with the file. */
async function explore<T>(
  origin: string,
  read: (explorer: PublicExplorer) => Promise<T>,
): Promise<T> {
  try {
    const { createExplorer } = await import("./config-explorer.js");
    return await read(createExplorer(SEARCHED, (path) => formatOf(path) === "YAML"));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { filepath: path = origin } = error as { readonly filepath?: string };
    throw invalid(path, error);
  }
}

/** The search skips an unreadable file: it must not be treated as missing. */
function verifyReadable(folder: string, found: string | undefined): void {
  const paths = SEARCHED.map((place) => join(folder, place));
  const end = found === undefined ? -1 : paths.indexOf(found);
  for (const path of end < 0 ? paths : paths.slice(0, end)) {
    if (!existsSync(path)) continue;
    try {
      accessSync(path, constants.R_OK);
    } catch (error) {
      throw invalid(path, error);
    }
  }
}

function toConfigFile(path: string, config: unknown): ConfigFile {
  const format = formatOf(path);
  if (isEmpty(config)) {
    throw fileError(`Unable to read from empty ${format} configuration file.`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw fileError(`Invalid ${format} configuration: expected option names and values in ${path}`);
  }
  const values = new Map<string, unknown>();
  for (const [key, value] of flatten(config)) {
    if (values.has(key)) throw fileError(`${key} is set twice in ${path}`);
    values.set(key, value);
  }
  return {
    path,
    folder: dirname(resolve(path)),
    label: `${format} configuration file`,
    values,
  };
}

/** Headings group keys for readers; only the keys themselves count. */
function flatten(section: object): readonly (readonly [string, unknown])[] {
  return Object.entries(section).flatMap(([key, value]) => {
    if (typeof value === "bigint") return [[key, String(value)] as const];
    const isHeading =
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      !(value instanceof Date);
    return isHeading ? flatten(value) : [[key, value] as const];
  });
}

function isEmpty(config: unknown): boolean {
  return typeof config === "object" && config !== null && Object.keys(config).length === 0;
}

/** Redundant lines of cosmiconfig: the file, which is named anyway, and a part of it. */
const FRAME = /^((JSON|YAML) Error in .*:)?\s*$|^[>\s\d]*\|/;

/** One line, with the position of the syntax error. */
function describe(error: unknown): string {
  // Parsers color the lines they quote on a terminal.
  const lines = stripVTControlCharacters(messageOf(error)).split("\n");
  const line = (lines.find((each) => !FRAME.test(each)) ?? "").trim();
  const { line: row, column } = error as { line?: unknown; column?: unknown };
  return typeof row === "number" ? `${line} at line ${row}, column ${column}` : line;
}

function formatOf(path: string): string {
  return FORMATS[extname(path)] ?? (/^\.?plinthrc$/.test(basename(path)) ? "YAML" : "TOML");
}

function invalid(path: string, error: unknown): ConfigError {
  return fileError(`Invalid ${formatOf(path)} configuration: ${describe(error)} in ${path}`, error);
}

function fileError(message: string, cause?: unknown): ConfigError {
  return new ConfigError("CONFIG_FILE_INVALID", { message, cause });
}
