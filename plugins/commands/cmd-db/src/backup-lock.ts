import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PlinthError } from "@plinth/core";

export const LOCK = "backup.lock";

/** Prevents a second `db backup` into a folder; a lock of a dead process does not count. */
export async function lockBackup(path: string): Promise<AsyncDisposable> {
  const file = join(path, LOCK);
  const take = () => writeFile(file, String(process.pid), { flag: "wx" });
  try {
    await take();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const owner = Number(await readFile(file, "utf8"));
    if (isRunning(owner)) {
      throw new PlinthError("BACKUP_FAILED", {
        message: `process ${owner} is writing a backup to ${path}; wait until it ends. If that process is not a backup, remove ${file}`,
      });
    }
    await rm(file, { force: true });
    await take();
  }
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
