import { existsSync } from "node:fs";
import { link, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "@plinth/core";
import { openFailure, replaced } from "./level-errors.js";
import { isWithoutLinks } from "./links.js";
import { makeSideFolder } from "./side-folder.js";

const LOCK = "LOCK";
const UNLOCKED: AsyncDisposable = { async [Symbol.asyncDispose]() {} };

/**
 * Prevents other processes from opening the database in a folder; throws `STORAGE_LOCKED` if one has it open.
 *
 * LevelDB locks a file before it reads any other, but offers no lock without opening, which would change the folder. So
 * an empty database beside it is opened whose lock is a link to the same file. Not for a folder that this process has
 * open: closing the second lock would release the first.
 *
 * `besideOf` is another folder in whose parent the empty database may be, if it is on the same file system.
 */
export async function lockFolder(folder: string, besideOf = folder): Promise<AsyncDisposable> {
  return existsSync(join(folder, LOCK)) ? lockExisting(folder, besideOf) : UNLOCKED;
}

/**
 * Locks the current database of a folder; throws `STORAGE_LOCKED` if a process has it open.
 *
 * A folder without a lock gets one, since a node that starts at this moment would create it as well.
 */
export async function lockWholly(folder: string): Promise<AsyncDisposable> {
  const path = join(folder, LOCK);
  try {
    await (await open(path, "a")).close();
    const { ino } = await stat(path);
    const lock = await lockExisting(folder);
    if ((await stat(path)).ino === ino) return lock;
    await lock[Symbol.asyncDispose]();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw replaced(folder);
    throw error instanceof StorageError ? error : openFailure(folder, error);
  }
  throw replaced(folder);
}

async function lockExisting(folder: string, besideOf = folder): Promise<AsyncDisposable> {
  const beside = await makeBeside(besideOf);
  // No process can open a database on a read-only disk.
  if (beside === undefined) return UNLOCKED;
  const remove = () => rm(beside, { recursive: true, force: true });
  try {
    await link(join(folder, LOCK), join(beside, LOCK));
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
    if (besideOf !== folder && isWithoutLinks(error)) return lockExisting(folder);
    throw openFailure(folder, error);
  }
}

async function makeBeside(folder: string): Promise<string | undefined> {
  try {
    return await makeSideFolder(folder, "lock");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EROFS") return undefined;
    throw openFailure(folder, error);
  }
}
