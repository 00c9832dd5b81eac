import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StorageError } from "@plinth/core";
import { type LevelFolder, listLevelFolder } from "./files/level-folder.js";
import { WAYS_OUT } from "./level-errors.js";

/**
 * Throws unless a folder is missing, empty or a LevelDB database.
 *
 * A database is created only in an empty place: one that lost its `CURRENT`, or that of another client, is reported and
 * left alone. LevelDB would create a new one and delete the tables of the old one.
 */
export async function verifyOwnFolder(path: string): Promise<void> {
  await verifyNotForeign(path);
  const folder = await listLevelFolder(path);
  if (!folder.hasCurrent && !isFresh(folder)) throw withoutCurrent(path);
}

/** Throws if a folder contains the database of another client. */
export async function verifyNotForeign(path: string): Promise<void> {
  const owner = (await findOwnerOfData(dirname(path))) ?? (await findOwnerOfDatabase(path));
  if (owner !== undefined) throw foreign(path, owner);
}

/** Throws if a folder contains anything but files of LevelDB, or is a file itself. */
export async function verifyNothingElse(path: string): Promise<void> {
  await verifyNotForeign(path);
  if (!(await stat(path)).isDirectory()) throw notOurs(path, "is a file");
  const [other] = (await listLevelFolder(path)).others;
  if (other !== undefined)
    throw notOurs(path, `contains ${other}, which is not part of a database`);
}

function notOurs(folder: string, problem: string): StorageError {
  return new StorageError("STORAGE_FOREIGN", {
    message: `${folder} ${problem}; it was left as it is. Choose another --data-path`,
    folder,
  });
}

/** Missing, empty, or left by a creation that was interrupted before anything was written. */
function isFresh({ tables, logs, manifests, others }: LevelFolder): boolean {
  const files = [...tables, ...logs, ...others];
  return files.length === 0 && manifests.every((name) => name === "MANIFEST-000001");
}

async function findOwnerOfData(path: string): Promise<string | undefined> {
  if (existsSync(join(path, "DATABASE_METADATA.json"))) return "Besu";
  if (existsSync(join(path, "geth", "chaindata"))) return "geth";
  if (existsSync(join(path, "chaindata"))) return "geth";
  const isChaindata = basename(path) === "chaindata" && existsSync(join(path, "CURRENT"));
  return isChaindata ? "geth" : undefined;
}

async function findOwnerOfDatabase(path: string): Promise<string | undefined> {
  const names = await readdir(path).catch(() => []);
  if (names.some((name) => name.startsWith("marker.manifest."))) return "geth (Pebble)";
  const isRocks = names.some((name) => /^(?:OPTIONS-\d+|IDENTITY|.*\.sst)$/.test(name));
  return isRocks ? "Besu or another client (RocksDB)" : undefined;
}

function foreign(folder: string, owner: string): StorageError {
  return new StorageError("STORAGE_FOREIGN", {
    message: `${dirname(folder)} holds the data of ${owner}; it was left as it is. Choose another --data-path. To take over the chain, write it into a file there (besu blocks export, geth export) and read that here: plinth blocks import FILE`,
    folder,
  });
}

function withoutCurrent(folder: string): StorageError {
  return new StorageError("STORAGE_DAMAGED", {
    message: `${folder} has files of a database but not CURRENT, which names those in use; nothing was changed. ${WAYS_OUT}`,
    folder,
    problems: [{ file: "CURRENT", problem: "it is missing" }],
  });
}
