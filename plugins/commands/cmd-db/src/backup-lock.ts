import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PlinthError } from "@plinth/core";
import { isProcessRunning } from "@plinth/core/kernel";

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
    if (isProcessRunning(owner)) {
      throw new PlinthError("BACKUP_FAILED", {
        message: `process ${owner} is writing a backup to ${path}; wait until it ends. If that process is not a backup, remove ${file}`,
      });
    }
    await rm(file, { force: true });
    await take();
  }
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}
