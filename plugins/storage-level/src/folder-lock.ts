import { existsSync } from "node:fs";
import { link, rm } from "node:fs/promises";
import { join } from "node:path";
import { openFailure } from "./level-errors.js";
import { makeSideFolder } from "./side-folder.js";

/**
 * Keeps other processes from opening the database in a folder; throws `STORAGE_LOCKED` when one has it open.
 *
 * LevelDB locks a file before it reads any other, but offers no lock without an opening, which would
 * change the folder. So an empty database beside it is opened whose lock is a link to the same file.
 * Not for a folder that this process has open: closing the second lock would release the first.
 */
export async function lockFolder(folder: string): Promise<AsyncDisposable> {
  const lock = join(folder, "LOCK");
  if (!existsSync(lock)) return { async [Symbol.asyncDispose]() {} };
  const beside = await makeBeside(folder);
  // No process can open a database on a read-only disk.
  if (beside === undefined) return { async [Symbol.asyncDispose]() {} };
  const remove = () => rm(beside, { recursive: true, force: true });
  try {
    await link(lock, join(beside, "LOCK"));
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
