import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DecodeError, t } from "@plinth/core";
import { decodeChecked } from "@plinth/core/storage";
import { DataRefused } from "./data-refused.js";

/** The folder of the database in a data folder. */
const DATABASE = "database";
/** Of folders whose files are not complete. */
export const INCOMPLETE_SUFFIX = ".forking";
/** The label of a folder that `db backup` has written. */
const LABEL = "plinth-backup.json";

const label = t.object({ database: t.text });
const COPY = /^database-\d+$/;

/** The database in a data folder, or in a backup. */
export async function findDatabase(path: string): Promise<string> {
  if (existsSync(join(path, LABEL))) return findBackup(path);
  const folder = join(path, DATABASE);
  if (existsSync(folder)) return folder;
  throw new DataRefused(
    `${path} has neither the folder ${DATABASE} of a node nor the ${LABEL} of a backup: expected the data folder of a node that is not running, or a folder of db backup`,
  );
}

/** The names of databases of plugins in a data folder, such as the payloads of private transactions. */
export async function findDatabasesBeside(path: string): Promise<readonly string[]> {
  if (existsSync(join(path, LABEL))) return [];
  const names = await readdir(path);
  return names.filter((name) => {
    // What a killed backup or fork has left has the files of a database, too.
    const isLeft = name.startsWith(".") || name.endsWith(INCOMPLETE_SUFFIX);
    return name !== DATABASE && !isLeft && existsSync(join(path, name, "CURRENT"));
  });
}

async function findBackup(path: string): Promise<string> {
  const content = decodeChecked(await readFile(join(path, LABEL), "utf8"));
  const name = findName(content);
  if (name !== undefined && COPY.test(name)) return join(path, name);
  throw new DataRefused(`${join(path, LABEL)} is damaged, or of another version`);
}

function findName(content: unknown): string | undefined {
  try {
    return label.decode(content).database;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
