import { existsSync, readFileSync, realpathSync } from "node:fs";
import { register } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ConfigError, messageOf, type Plugin } from "@plinth/core";
import { coreVersion, findPlace, verifyPlugin } from "@plinth/core/kernel";
import { findMovedExport } from "./moved-export.js";
import { findSyntaxError } from "./syntax-error.js";
import { verifyRunnable } from "./typescript-files.js";

/** Where packages are searched, in this order; the program's own come last. */
export interface PluginFolders {
  /** Of the configuration file; plugin paths are relative to it. */
  readonly config: string;
  readonly working: string;
  readonly installed: string;
}

/** The location of a plugin, with the name it was requested by. */
export interface FoundPlugin {
  readonly specifier: string;
  /** The module that exports it. */
  readonly url: string;
  /** Whether it is shipped with the program. */
  readonly isShipped: boolean;
}

/** A plugin with the name it was requested by. */
export interface LoadedPlugin extends FoundPlugin {
  readonly plugin: Plugin;
}

interface Found {
  readonly url: string;
  /** Whether it is shipped with the program. */
  readonly shipped: boolean;
}

const PROGRAM = import.meta.url;
/** The names of our plugins, and the entry that all their manifests contain. */
const OURS = /^@plinth\/plugin-[a-z0-9-]+$/;
const ENTRY = join("dist", "index.js");

/** Loads a plugin by its specifier: a path, a package, or the short name of one of ours. */
export async function loadPlugin(specifier: string, folders: PluginFolders): Promise<LoadedPlugin> {
  const found = await findPlugin(specifier, folders);
  return { ...found, plugin: await importPlugin(found) };
}

/** Finds a plugin by its specifier; none of its code runs. */
export async function findPlugin(specifier: string, folders: PluginFolders): Promise<FoundPlugin> {
  const { url, shipped } = isPath(specifier)
    ? { url: await findFile(specifier, folders.config), shipped: false }
    : await findPackage(specifier, folders);
  if (!shipped) {
    await verifyCoreVersion(specifier, fileURLToPath(url));
    shareOurPackages();
  }
  verifyRunnable(specifier, url);
  return { specifier, url, isShipped: shipped };
}

/** Imports a found plugin. */
export async function importPlugin({
  specifier,
  url,
}: Pick<FoundPlugin, "specifier" | "url">): Promise<Plugin> {
  const module = await importModule(specifier, url);
  return verifyPlugin(module.default, `"${specifier}"`);
}

async function importModule(
  specifier: string,
  url: string,
): Promise<{ readonly default?: unknown }> {
  try {
    return await import(url);
  } catch (error) {
    const place = saysWhere(error)
      ? undefined
      : (findPlace(error) ?? (await findSyntaxError(error, url)));
    throw new ConfigError("PLUGIN_UNLOADABLE", {
      message: `plugin "${specifier}" cannot be loaded: ${messageOf(error).split("\n")[0]}`,
      plugin: specifier,
      hints: [
        ...toList(place).map((where) => `at ${where}`),
        ...toList(await findMovedExport(error)),
      ],
      cause: error,
    });
  }
}

function toList<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item];
}

/** Reports an unresolved import with the file that contains it; the stack is that of the loader. */
function saysWhere(error: unknown): boolean {
  return String(Object(error).code).startsWith("ERR_");
}

function isPath(specifier: string): boolean {
  return specifier.startsWith(".") || isAbsolute(specifier);
}

async function findFile(specifier: string, folder: string): Promise<string> {
  const path = resolve(folder, specifier);
  if (!existsSync(path)) {
    throw unknownPlugin(specifier, `there is no file ${path}`);
  }
  const manifest = join(path, "package.json");
  if (!existsSync(manifest)) return pathToFileURL(path).href;
  // A folder with a package is entered as its package.json specifies.
  const { name } = JSON.parse(readFileSync(manifest, "utf8"));
  const { resolve: resolveImport } = await import("import-meta-resolve");
  return resolveImport(String(name), pathToFileURL(manifest).href);
}

async function findPackage(specifier: string, folders: PluginFolders): Promise<Found> {
  const isShort = /^[a-z0-9-]+$/.test(specifier);
  const names = isShort ? [`@plinth/plugin-${specifier}`, specifier] : [specifier];
  const places = [...new Set([folders.config, folders.working, folders.installed])];
  for (const name of names) {
    const own = findPackageFolder(dirname(fileURLToPath(PROGRAM)), name);
    for (const place of places) {
      const found = findPackageFolder(place, name);
      if (found === undefined) continue;
      // The resolver is slow, and would find packages of the program.
      if (found === own) break;
      const url = await findFrom(place, name);
      if (url !== undefined) return { url, shipped: url === findShipped(name, own) };
    }
    const url = findShipped(name, own);
    if (url !== undefined) return { url, shipped: true };
  }
  throw unknownPlugin(
    specifier,
    `searched for ${names.join(" and ")} in ${places.join(", ")} and among the shipped ones; install it with: plinth plugins install ${specifier}`,
  );
}

/** The entry of a package that the program finds in `folder`. */
function findShipped(name: string, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  if (OURS.test(name)) return findEntry(join(folder, ENTRY));
  try {
    return existing(import.meta.resolve(name));
  } catch (error) {
    return onlyNotFound(name, error);
  }
}

function findEntry(path: string): string | undefined {
  return existsSync(path) ? pathToFileURL(realpathSync(path)).href : undefined;
}

async function findFrom(folder: string, name: string): Promise<string | undefined> {
  const { resolve: resolveImport } = await import("import-meta-resolve");
  try {
    return existing(resolveImport(name, pathToFileURL(join(folder, "package.json")).href));
  } catch (error) {
    return onlyNotFound(name, error);
  }
}

/** The folder of the package that an import from `folder` resolves to. */
function findPackageFolder(folder: string, name: string): string | undefined {
  const scope = name.startsWith("@") ? name.slice(0, name.indexOf("/")) : "";
  return foldersOf(folder, scope)
    .map((modules) => join(modules, name))
    .find((path) => existsSync(path));
}

const searched = new Map<string, readonly string[]>();

/**
 * The `node_modules` folders reachable by an import that have the scope, nearest first; cached,
 * because most plugins are searched in the same folders.
 */
function foldersOf(folder: string, scope: string): readonly string[] {
  const key = `${scope} ${folder}`;
  const known = searched.get(key);
  if (known !== undefined) return known;
  const parent = dirname(folder);
  const above = parent === folder ? [] : foldersOf(parent, scope);
  const modules = join(folder, "node_modules");
  const found = existsSync(join(modules, scope)) ? [modules, ...above] : above;
  searched.set(key, found);
  return found;
}

function existing(url: string): string | undefined {
  return existsSync(fileURLToPath(url)) ? url : undefined;
}

function onlyNotFound(name: string, error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return undefined;
  throw unknownPlugin(name, messageOf(error));
}

function unknownPlugin(specifier: string, detail: string): ConfigError {
  return new ConfigError("PLUGIN_UNKNOWN", {
    message: `unknown plugin "${specifier}": ${detail}`,
    plugin: specifier,
  });
}

/**
 * Compares the core version required by the package with the running one, before any of its code
 * runs.
 */
async function verifyCoreVersion(specifier: string, file: string): Promise<void> {
  const manifest = findManifest(dirname(file));
  const range = manifest?.peerDependencies?.["@plinth/core"];
  const running = coreVersion();
  if (range === undefined) return;
  const { default: semver } = await import("semver");
  if (semver.satisfies(running, range, { includePrerelease: true })) return;
  throw new ConfigError("PLUGIN_CORE_MISMATCH", {
    message: `plugin "${specifier}" ${manifest?.version ?? ""} was made for @plinth/core ${range}; this node has ${running}`,
    plugin: specifier,
  });
}

interface Manifest {
  readonly version?: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function findManifest(folder: string): Manifest | undefined {
  const path = join(folder, "package.json");
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
  const parent = dirname(folder);
  return parent === folder ? undefined : findManifest(parent);
}

let shared = false;

/** Whether an external plugin is loaded, which needs module hooks in every thread. */
export function sharesPackages(): boolean {
  return shared;
}

/** From now on, external plugins find the running core and kits, wherever they are. */
function shareOurPackages(): void {
  if (shared) return;
  shared = true;
  register("./share-packages.js", { parentURL: PROGRAM, data: { program: PROGRAM } });
}
