import { constants } from "node:fs";
import { copyFile, link, mkdir, open, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "@plinth/core";
import type { CopiedFiles } from "@plinth/core/storage";
import { listLevelFolder, logPath, readCurrent, tablePath } from "./files/level-folder.js";
import { makeSideFolder } from "./side-folder.js";

const MAX_ATTEMPTS = 100;

/**
 * Copies a database that may be written to meanwhile; see `StorageFiles.copy`.
 *
 * Tables are immutable, so links beside the database keep them while they are copied. The manifest and the logs only
 * grow: their prefixes, taken while the set of files was stable, are the database at some moment in between, and
 * LevelDB ignores a truncated record.
 */
export async function copyFiles(
  folder: string,
  { to, earlier }: { readonly to: string; readonly earlier?: string | undefined },
): Promise<CopiedFiles> {
  await using moment = await captureMoment(folder);
  await mkdir(to, { recursive: true });
  const copied = { files: 0, bytes: 0, reused: 0 };
  for (const name of await readdir(moment.path)) {
    const from = join(moment.path, name);
    const before = earlier === undefined ? undefined : join(earlier, name);
    if (before !== undefined && name.endsWith(".ldb") && (await isSame(from, before))) {
      // Not every file system has links; and a running node may have removed the file meanwhile.
      await link(before, join(to, name)).catch(() => copyDurably(from, join(to, name)));
      copied.reused += 1;
    } else {
      copied.bytes += await copyDurably(from, join(to, name));
      copied.files += 1;
    }
  }
  await syncFolder(to);
  return copied;
}

/** The files at one moment, in a folder beside the database. */
async function captureMoment(folder: string): Promise<AsyncDisposable & { readonly path: string }> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const path = await makeSideFolder(folder, "copy");
    const remove = () => rm(path, { recursive: true, force: true });
    try {
      if (await capture(folder, path)) return { path, [Symbol.asyncDispose]: remove };
    } catch (error) {
      await remove();
      throw error;
    }
    await remove();
  }
  throw new StorageError("BACKUP_FAILED", {
    message: `${folder} changes too fast to be copied; try again under less load`,
    folder,
  });
}

/** Links tables and copies the rest; returns whether the set of files was stable. */
async function capture(folder: string, to: string): Promise<boolean> {
  const before = await listFiles(folder);
  try {
    for (const number of before.tables)
      await link(tablePath(folder, number), tablePath(to, number));
    await copyFile(join(folder, "CURRENT"), join(to, "CURRENT"));
    // Before the logs: a table that it lists was written from a log that exists as long as needed.
    await copyFile(join(folder, before.manifest), join(to, before.manifest));
    for (const number of before.logs) await copyFile(logPath(folder, number), logPath(to, number));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  return JSON.stringify(await listFiles(folder)) === JSON.stringify(before);
}

async function listFiles(folder: string) {
  const { tables, logs } = await listLevelFolder(folder);
  return { tables, logs, manifest: await readCurrent(folder) };
}

/** A table name is never reused, so name, size and time identify it. */
async function isSame(path: string, other: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([stat(path), stat(other).catch(() => undefined)]);
  return theirs?.size === ours.size && Math.abs(theirs.mtimeMs - ours.mtimeMs) < 1;
}

async function copyDurably(from: string, to: string): Promise<number> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const { size, atime, mtime } = await stat(from);
  const file = await open(to, "r+");
  await file.sync();
  await file.close();
  await utimes(to, atime, mtime);
  return size;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync();
  await folder.close();
}
