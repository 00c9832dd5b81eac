import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { ConfigError } from "@plinth/core";
import { type ConfigFile, loadConfigFile } from "../../config-file.js";

/** Files of a Besu installation; missing ones are `undefined`. */
export interface Installation {
  readonly folder: string;
  /** Its options, empty without a file. */
  readonly options: ReadonlyMap<string, unknown>;
  readonly configFile: string | undefined;
  readonly genesis: string | undefined;
  readonly key: string | undefined;
  readonly staticNodes: string | undefined;
  readonly permissions: string | undefined;
  /**
   * Finds a file set by an option, also if its path is that of a container; throws if it is
   * ambiguous.
   */
  find(option: string, path: unknown): Promise<string | undefined>;
}

/** Files set by the operator because several match. */
export interface NamedFiles {
  readonly config?: string | undefined;
  readonly genesis?: string | undefined;
  readonly key?: string | undefined;
}

const DEPTH = 4;
/** Folders with data only. */
const DATA = ["database", "caches", "node_modules", ".git"];
const MAX_BYTES = 64 * 2 ** 20;

/** Finds the files of a Besu installation; throws if one is ambiguous. */
export async function findInstallation(folder: string, named: NamedFiles): Promise<Installation> {
  const files = await listFiles(folder);
  const configFile = named.config ?? chooseOne(await findConfigs(files), "config-file", folder);
  const options = configFile === undefined ? NO_OPTIONS : await readOptions(configFile);
  const start = configFile === undefined ? folder : dirname(resolve(configFile));
  const find = async (option: string, path: unknown) => {
    if (typeof path !== "string") return undefined;
    const there = await keepFiles([resolve(start, path), resolve(folder, path)]);
    return chooseOne(there.length > 0 ? there : findAlike(path, files), option, folder);
  };
  const findOption = (option: string) => find(option, options.get(option));
  const byName = (...names: readonly string[]) =>
    files.filter((file) => names.includes(basename(file)));
  return {
    folder,
    options,
    configFile,
    genesis:
      named.genesis ??
      (await findOption("genesis-file")) ??
      chooseOne(await findGenesisFiles(files), "genesis-file", folder),
    key:
      named.key ??
      (await findOption("node-private-key-file")) ??
      chooseOne(byName("key", "key.priv", "nodekey"), "node-private-key-file", folder),
    staticNodes: (await findOption("static-nodes-file")) ?? byName("static-nodes.json")[0],
    permissions:
      (await findOption("permissions-nodes-config-file")) ??
      (await findOption("permissions-accounts-config-file")) ??
      byName("permissions_config.toml")[0],
    find,
  };
}

const NO_OPTIONS: ReadonlyMap<string, unknown> = new Map();

async function readOptions(path: string): Promise<ConfigFile["values"]> {
  return (await loadConfigFile(path)).values;
}

/** Every file small enough to be a setting, nearest first. */
async function listFiles(folder: string, depth = DEPTH): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  const folders = entries.filter((entry) => entry.isDirectory() && !DATA.includes(entry.name));
  const inner = depth === 0 ? [] : folders;
  const deeper = await Promise.all(
    inner.map(({ name }) => listFiles(join(folder, name), depth - 1)),
  );
  return [...files.sort(), ...deeper.flat()];
}

/** Permission files are TOML files too. */
async function findConfigs(files: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of files.filter((each) => each.endsWith(".toml"))) {
    if (!/^\s*(nodes|accounts)-(allow|white)list\s*=/m.test(await readFile(file, "utf8"))) {
      found.push(file);
    }
  }
  return found;
}

async function findGenesisFiles(files: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of files.filter((each) => each.endsWith(".json"))) {
    if ((await stat(file)).size > MAX_BYTES) continue;
    const text = await readFile(file, "utf8");
    if (/"config"\s*:\s*\{/.test(text) && /"(alloc|extraData|gasLimit)"\s*:/i.test(text))
      found.push(file);
  }
  return found;
}

/** The existing files among some paths, each once. */
async function keepFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of new Set(paths)) {
    const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
      throw error;
    });
    if (status?.isFile()) found.push(path);
  }
  return found;
}

/**
 * Paths in files are often those of a container: returns the files with the longest common path
 * suffix.
 */
function findAlike(path: string, files: readonly string[]): readonly string[] {
  const alike = files.map((file) => ({ file, words: countSameEnd(file, path) }));
  const most = Math.max(1, ...alike.map(({ words }) => words));
  return alike.filter(({ words }) => words === most).map(({ file }) => file);
}

/** Length of the common suffix of two paths. */
function countSameEnd(one: string, other: string): number {
  const names = one.split(sep).reverse();
  const others = other.split(sep).reverse();
  const first = names.findIndex((name, index) => name !== others[index]);
  return first === -1 ? names.length : first;
}

/** Options of a Besu node that the command has as well. */
const FLAGS = ["config-file", "genesis-file", "node-private-key-file"];

function chooseOne(files: readonly string[], option: string, folder: string): string | undefined {
  if (files.length < 2) return files[0];
  const names = files.map((file) => relative(folder, file)).join(", ");
  const way = FLAGS.includes(option)
    ? `choose one with --${option}`
    : `set one as ${option} in a copy of its configuration file, and pass the copy with --config-file`;
  throw new ConfigError("OPTION_MISSING", {
    message: `${folder} has several matching files: ${names}; ${way}`,
    option,
  });
}
