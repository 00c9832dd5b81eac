import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";

/** What a configuration file says. */
export interface ConfigFile {
  readonly path: string;
  /** The folder that plugins named by path start from. */
  readonly folder: string;
  /** How messages call it. */
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
};

const SEARCHED = [
  "plinth.config.js",
  "plinth.config.mjs",
  "plinth.config.json",
  "plinth.config.yaml",
  "plinth.config.toml",
  ".plinthrc",
  ".plinthrc.js",
  ".plinthrc.mjs",
  ".plinthrc.json",
  ".plinthrc.yaml",
  ".plinthrc.toml",
];

/** Reads exactly the named file; `variable` is the environment variable that named it. */
export async function loadConfigFile(path: string, variable?: string): Promise<ConfigFile> {
  const format = formatOf(path);
  if (!existsSync(path)) {
    throw fileError(
      variable === undefined
        ? `Unable to read ${format} configuration, file not found: ${path}`
        : `${format} file ${path} specified in environment variable ${variable} not found`,
    );
  }
  return toConfigFile(path, await readValues(path));
}

/** Looks for a file in a folder, under the usual names. */
export async function searchConfigFile(folder: string): Promise<ConfigFile | undefined> {
  const path = findCandidate(folder);
  return path === undefined ? undefined : loadConfigFile(path);
}

/** The libraries that read files are not loaded when there is no file. */
function findCandidate(folder: string): string | undefined {
  const names = new Set(readdirSync(folder));
  const name = SEARCHED.find((candidate) => names.has(candidate));
  if (name !== undefined) return join(folder, name);
  return names.has("package.json") && hasSection(join(folder, "package.json"))
    ? join(folder, "package.json")
    : undefined;
}

function hasSection(path: string): boolean {
  try {
    const { plinth } = JSON.parse(readFileSync(path, "utf8"));
    return typeof plinth === "object" && plinth !== null;
  } catch {
    // An unreadable package.json is reported by npm, not here.
    return false;
  }
}

/** Whatever its ending, a file that is of no other format is TOML. */
async function readValues(path: string): Promise<unknown> {
  const format = formatOf(path);
  try {
    return await (format === "TOML" ? readToml(path) : readOther(path));
  } catch (error) {
    throw fileError(`Invalid ${format} configuration: ${describe(error)} in ${path}`, error);
  }
}

async function readToml(path: string): Promise<unknown> {
  const { parse } = await import("smol-toml");
  // Amounts of wei do not fit into a number.
  return parse(await readFile(path, "utf8"), { integersAsBigInt: "asNeeded" });
}

/** Most nodes start with TOML or without a file, and load no library for the other formats. */
async function readOther(path: string): Promise<unknown> {
  const { cosmiconfig, defaultLoaders } = await import("cosmiconfig");
  const loaders = { noExt: defaultLoaders[".yaml"] };
  const loaded = await cosmiconfig("plinth", { loaders }).load(path);
  return loaded?.config ?? {};
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

/** One line, with the place where the parser gave up. */
function describe(error: unknown): string {
  const line = messageOf(error).split("\n")[0] ?? "";
  const { line: row, column } = error as { line?: unknown; column?: unknown };
  return typeof row === "number" ? `${line} at line ${row}, column ${column}` : line;
}

function formatOf(path: string): string {
  return FORMATS[extname(path)] ?? (basename(path) === ".plinthrc" ? "YAML" : "TOML");
}

function fileError(message: string, cause?: unknown): ConfigError {
  return new ConfigError("CONFIG_FILE_INVALID", { message, cause });
}
