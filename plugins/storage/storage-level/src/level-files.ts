import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type KeyValueStore, StorageError } from "@plinth/core";
import type { StorageFiles } from "@plinth/core/storage";
import { copyFiles } from "./copy-files.js";
import { FORMAT } from "./database-format.js";
import { findUsedTables } from "./files/check-folder.js";
import { listLevelFolder, logPath, tablePath } from "./files/level-folder.js";
import { lockFolder, lockWholly } from "./folder-lock.js";
import { verifyNotForeign, verifyNothingElse } from "./foreign-folder.js";
import { forkFiles } from "./fork-files.js";
import { WAYS_OUT } from "./level-errors.js";
import { readFiles } from "./read-files.js";

/** The driver's functions for a folder. */
interface FolderAccess {
  open(folder: string): Promise<KeyValueStore>;
  /** Throws if this thread has the database open. */
  verifyClosed(folder: string): Promise<void>;
}

/** Operations on the files of a LevelDB database besides opening it. */
export function createLevelFiles({ open, verifyClosed }: FolderAccess): StorageFiles {
  return {
    format: FORMAT,
    waysOut: WAYS_OUT,
    async lock({ folder }) {
      await verifyNotForeign(folder);
      await verifyClosed(folder);
      return lockFolder(folder);
    },
    async lockToRemove({ folder }) {
      if (!existsSync(folder)) return undefined;
      await verifyNothingElse(folder);
      await verifyClosed(folder);
      return lockWholly(folder);
    },
    read: ({ folder, part }) => readFiles(folder, part === undefined ? {} : { part }),
    openCopy: ({ folder }) => openCopy(folder, open),
    copy: ({ folder, ...places }) => copyFiles(folder, places),
    async fork({ folder, to }) {
      await verifyNotForeign(folder);
      await verifyClosed(folder);
      return forkFiles(folder, to);
    },
  };
}

/** Opening replays the log, writes a table and deletes files: all of that happens to the copy. */
async function openCopy(
  folder: string,
  open: (folder: string) => Promise<KeyValueStore>,
): Promise<KeyValueStore> {
  const path = await mkdtemp(join(tmpdir(), "plinth-copy-"));
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    await linkFiles(folder, path);
    const store = await open(path);
    return {
      table: (name) => store.table(name),
      batch: () => store.batch(),
      snapshot: () => store.snapshot(),
      ...(store.tableSizes && { tableSizes: store.tableSizes.bind(store) }),
      async close() {
        await store.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error instanceof StorageError ? aboutOriginal(error, { path, folder }) : error;
  }
}

/** Replaces the path of the copy, which the operator does not know, by that of the folder. */
function aboutOriginal(
  error: StorageError,
  { path, folder }: { readonly path: string; readonly folder: string },
): StorageError {
  const message = error.message.replaceAll(path, folder);
  return new StorageError(error.code, { ...error.details, message, folder, cause: error });
}

async function linkFiles(folder: string, to: string): Promise<void> {
  const files = await listLevelFolder(folder);
  const { logs, manifests, hasCurrent } = files;
  // Recovery of a log writes tables under the next numbers, also into links to files that a kill has left there.
  for (const number of files.tables.filter(await findUsedTables(files))) {
    await symlink(resolve(tablePath(folder, number)), tablePath(to, number));
  }
  for (const number of logs) await copyFile(logPath(folder, number), logPath(to, number));
  for (const name of [...manifests, ...(hasCurrent ? ["CURRENT"] : [])]) {
    await copyFile(join(folder, name), join(to, name));
  }
}
