import { existsSync } from "node:fs";
import { copyFile, link, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "@plinth/core";
import type { ForkedFiles } from "@plinth/core/storage";
import { checkManifest, findUsedTables } from "./files/check-folder.js";
import { listLevelFolder, logPath, readCurrent, tablePath } from "./files/level-folder.js";
import { lockFolder } from "./folder-lock.js";
import { openFailure } from "./level-errors.js";
import { makeSideFolder } from "./side-folder.js";

const LOCK = "LOCK";
/** What a file system reports that has no links, or none to another one. */
const NO_LINKS = ["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Makes a new database from one that no process has open; see `StorageFiles.fork`.
 *
 * Tables that the manifest lists are immutable: LevelDB removes its name of one that it has replaced, and never writes to it again.
 */
export async function forkFiles(folder: string, to: string): Promise<ForkedFiles> {
  if (!existsSync(join(folder, "CURRENT"))) {
    throw new StorageError("STORAGE_UNREADABLE", {
      message: `${folder} is not a database: it has no file CURRENT`,
      folder,
    });
  }
  await mkdir(to, { recursive: true });
  await using _lock = await lockBeside(folder, to);
  // Another process may have had it open until now, and may have written tables.
  const files = await listLevelFolder(folder);
  for await (const { file, problem } of checkManifest(files)) {
    throw new StorageError("STORAGE_UNREADABLE", {
      message: `${folder} is damaged: ${file}: ${problem}`,
      folder,
    });
  }
  // Recovery of a log writes tables under the next numbers, into files that a kill may have left there.
  const tables = files.tables.filter(await findUsedTables(files));
  const forked = { linked: 0, copied: 0, bytes: 0 };
  for (const number of tables) {
    const path = tablePath(to, number);
    if (await linkOrCopy(tablePath(folder, number), path)) forked.linked += 1;
    else {
      forked.copied += 1;
      forked.bytes += await sizeOf(path);
    }
  }
  for (const number of files.logs) await copyFile(logPath(folder, number), logPath(to, number));
  const manifest = await readCurrent(folder);
  for (const name of [manifest, "CURRENT"]) await copyFile(join(folder, name), join(to, name));
  return forked;
}

/** Whether it was linked. */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (!NO_LINKS.includes(String(Object(error).code))) throw error;
    await copyFile(from, to);
    return false;
  }
}

/**
 * Keeps other processes from opening the database; throws `STORAGE_LOCKED` if one has it open.
 *
 * The work folder of the lock is beside the copy, or on another file system beside the database for that time.
 */
async function lockBeside(folder: string, to: string): Promise<AsyncDisposable> {
  const path = join(folder, LOCK);
  if (!existsSync(path)) return { async [Symbol.asyncDispose]() {} };
  const beside = await makeSideFolder(to, "lock");
  const remove = () => rm(beside, { recursive: true, force: true });
  try {
    if (!(await linkOrCopy(path, join(beside, LOCK)))) {
      await remove();
      return await lockFolder(folder);
    }
    const { ClassicLevel } = await import("classic-level");
    const level = new ClassicLevel(beside);
    await level.open();
    return {
      async [Symbol.asyncDispose]() {
        await level.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error instanceof StorageError ? error : openFailure(folder, error);
  }
}

async function sizeOf(path: string): Promise<number> {
  await using file = await open(path);
  return (await file.stat()).size;
}
