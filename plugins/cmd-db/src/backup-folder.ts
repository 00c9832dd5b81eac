import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, PlinthError } from "@plinth/core";

/** A folder with a backup. */
export interface BackupFolder {
  readonly database: string;
}

const LABEL = "plinth-backup.json";

/** Prepares a folder for a backup; throws when it holds something else, which would be overwritten. */
export async function prepareBackup(path: string): Promise<BackupFolder> {
  const label = join(path, LABEL);
  const isEmpty = !existsSync(path) || readdirSync(path).length === 0;
  if (!isEmpty && !existsSync(label)) {
    throw new ConfigError("BACKUP_FAILED", {
      message: `${path} is neither empty nor an earlier backup; choose another folder`,
    });
  }
  await mkdir(path, { recursive: true });
  await writeFile(label, '{"version":1}\n');
  return partsOf(path);
}

/** Finds a backup; throws when there is none. */
export async function findBackup(path: string): Promise<BackupFolder> {
  await readFile(join(path, LABEL)).catch((cause: unknown) => {
    throw new PlinthError("BACKUP_FAILED", { message: `${path} is not a backup`, cause });
  });
  return partsOf(path);
}

function partsOf(path: string): BackupFolder {
  return { database: join(path, "database") };
}
