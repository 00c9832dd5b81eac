import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { ConfigError } from "@plinth/core";
import { type ConfigFile, loadConfigFile } from "../../config-file.js";

/** Files of a Besu installation; what is not there is `undefined`. */
export interface Installation {
  readonly folder: string;
  /** Its options, empty where it has no file for them. */
  readonly options: ReadonlyMap<string, unknown>;
  readonly configFile: string | undefined;
  readonly genesis: string | undefined;
  readonly key: string | undefined;
  readonly staticNodes: string | undefined;
  readonly permissions: string | undefined;
  /** Finds a file that an option names, also where its path is that of a container. */
  find(path: unknown): string | undefined;
}

/** Files that the operator names because several could be meant. */
export interface NamedFiles {
  readonly config?: string | undefined;
  readonly genesis?: string | undefined;
  readonly key?: string | undefined;
}

const DEPTH = 4;
/** Folders with nothing but data. */
const DATA = ["database", "caches", "node_modules", ".git"];
const MAX_BYTES = 64 * 2 ** 20;

/** Finds the files of a Besu installation; throws when one of several could be meant. */
export async function findInstallation(folder: string, named: NamedFiles): Promise<Installation> {
  const files = await listFiles(folder);
  const configFile = named.config ?? chooseOne(await findConfigs(files), "config-file", folder);
  const options = configFile === undefined ? NO_OPTIONS : await readOptions(configFile);
  const find = (path: unknown) => findNamed(path, files);
  const byName = (...names: readonly string[]) =>
    files.filter((file) => names.includes(basename(file)));
  return {
    folder,
    options,
    configFile,
    genesis:
      named.genesis ??
      find(options.get("genesis-file")) ??
      chooseOne(await findGenesisFiles(files), "genesis-file", folder),
    key:
      named.key ??
      find(options.get("node-private-key-file")) ??
      chooseOne(byName("key", "key.priv", "nodekey"), "node-private-key-file", folder),
    staticNodes: find(options.get("static-nodes-file")) ?? byName("static-nodes.json")[0],
    permissions: findPermissions(options, find) ?? byName("permissions_config.toml")[0],
    find,
  };
}

const NO_OPTIONS: ReadonlyMap<string, unknown> = new Map();

async function readOptions(path: string): Promise<ConfigFile["values"]> {
  return (await loadConfigFile(path)).values;
}

/** Every file that may be small enough to be a setting, the nearest first. */
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

function findPermissions(
  options: ReadonlyMap<string, unknown>,
  find: Installation["find"],
): string | undefined {
  return (
    find(options.get("permissions-nodes-config-file")) ??
    find(options.get("permissions-accounts-config-file"))
  );
}

/** By its path, or by its name: paths in files are often those of a container. */
function findNamed(path: unknown, files: readonly string[]): string | undefined {
  if (typeof path !== "string") return undefined;
  return (
    files.find((file) => file === path) ?? files.find((file) => basename(file) === basename(path))
  );
}

function chooseOne(files: readonly string[], flag: string, folder: string): string | undefined {
  if (files.length < 2) return files[0];
  const names = files.map((file) => relative(folder, file)).join(", ");
  throw new ConfigError("OPTION_MISSING", {
    message: `${folder} has several files that could be meant: ${names}; choose one with --${flag}`,
    option: flag,
  });
}
