import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isProcessRunning } from "@plinth/core/kernel";

/**
 * Creates a folder of this process, named after a prefix, and removes those that killed processes have left.
 *
 * Processes of other machines that share the parent folder must not use the same prefix.
 */
export async function createProcessFolder(parent: string, prefix: string): Promise<string> {
  await removeAbandoned(parent, prefix);
  const folder = join(parent, `${prefix}${process.pid}-${randomBytes(4).toString("hex")}`);
  // Unlike a temporary folder it may be readable by others: web servers serve snapshots.
  await mkdir(folder);
  return folder;
}

async function removeAbandoned(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const pid = /^(\d+)-/.exec(name.slice(prefix.length))?.[1];
    if (pid !== undefined && !isProcessRunning(Number(pid))) {
      await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}
