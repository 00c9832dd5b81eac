import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PlinthError } from "@plinth/core";
import { isProcessRunning } from "@plinth/core/kernel";

/** The folders that this process has locked: after a restart of a container its id is the same. */
const own = new Set<string>();

/** A folder that one process uses at a time; a lock that a killed process left is taken over. */
export class FolderLock {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws `PlinthError` if another process has it. */
  static async acquire(folder: string): Promise<FolderLock> {
    if (own.has(folder)) throw locked(folder, process.pid);
    own.add(folder);
    try {
      await writeLock(folder);
      return new FolderLock(folder);
    } catch (error) {
      own.delete(folder);
      throw error;
    }
  }

  async release(): Promise<void> {
    await rm(pathIn(this.#folder), { force: true });
    own.delete(this.#folder);
  }
}

async function writeLock(folder: string): Promise<void> {
  const path = pathIn(folder);
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const holder = Number(await readFile(path, "utf8"));
    if (holder !== process.pid && isProcessRunning(holder)) throw locked(folder, holder);
    await writeFile(path, String(process.pid));
  }
}

function locked(folder: string, holder: number): PlinthError {
  return new PlinthError("RELAY_LOCKED", {
    message: `the embedded database in ${folder} is in use by process ${holder}; stop it, or use another folder`,
  });
}

function pathIn(folder: string): string {
  return join(folder, "process-id");
}
