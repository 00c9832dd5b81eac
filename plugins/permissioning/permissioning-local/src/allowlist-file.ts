import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";
import { parse } from "smol-toml";
import { findArrays, type TomlArray, withoutArrays } from "./toml-array.js";

/** The keys of a list in the file: current and deprecated. */
export interface ListKeys {
  readonly name: string;
  readonly old: string;
}

/** The content of a file for a list. */
export interface FileList {
  readonly toml: string;
  readonly array: TomlArray;
  /** Whether the list uses its deprecated name. */
  readonly isOld: boolean;
}

/** Arrays that may be large; they are not passed to the parser. */
const LISTS = ["accounts-allowlist", "nodes-allowlist", "accounts-whitelist", "nodes-whitelist"];

/** Reads a list; throws `ConfigError` with Besu's messages if it is invalid. */
export async function readList(path: string, keys: ListKeys): Promise<FileList> {
  const toml = await readToml(path);
  const arrays = findArrays(toml, LISTS);
  const content = parseToml(path, withoutArrays(toml, arrays.values()));
  const isOld = content[keys.name] === undefined && content[keys.old] !== undefined;
  const name = isOld ? keys.old : keys.name;
  if (content[name] === undefined) {
    throw refused(`${keys.name} config option missing in TOML config file ${path}`);
  }
  const array = arrays.get(name);
  if (array === undefined) throw refused(`${name} in ${path} is not an array of plain strings`);
  return { toml, array, isOld };
}

/** Whether a file is writable; if not, lists are read-only. */
export async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Writes the file atomically and durably. */
export async function writeToml(path: string, toml: string): Promise<void> {
  // A link stays a link.
  const target = await realpath(path);
  const { mode } = await stat(target);
  // A name that no one could have created before.
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeSynced(temporary, toml, mode);
    await access(target, constants.W_OK);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

async function writeSynced(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.chmod(mode & 0o777);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The new name of a file is durable once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readToml(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = Object(error);
    if (code === "ENOENT") throw unreadable(path, `Configuration file does not exist: ${path}`);
    if (code === "EACCES") throw unreadable(path, `Read access denied for file at: ${path}`);
    throw unreadable(path, messageOf(error));
  }
}

function parseToml(path: string, toml: string): Readonly<Record<string, unknown>> {
  let content: Readonly<Record<string, unknown>>;
  try {
    content = parse(toml);
  } catch (error) {
    throw unreadable(path, `Invalid TOML configuration: ${messageOf(error)}`);
  }
  if (Object.keys(content).length === 0) {
    throw unreadable(path, `Empty TOML result: ${JSON.stringify(toml.slice(0, 100))}`);
  }
  return content;
}

function unreadable(path: string, reason: string): ConfigError {
  return refused(`Unable to read permissioning TOML config file : ${path} ${reason}`);
}

/** The error for a file with which a node cannot start. */
export function refused(message: string): ConfigError {
  return new ConfigError("PERMISSIONS_INVALID", { message });
}
