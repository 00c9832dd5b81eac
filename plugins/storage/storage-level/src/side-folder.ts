import { mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isProcessRunning } from "@plinth/core/kernel";

/**
 * Prefix of work folders beside a database, with the process id so that leftovers of a killed
 * process are recognized.
 */
const NAME = /^\.(?:copy|lock)-(\d+)-/;

/**
 * Creates a folder on the file system of a database, for links to its files.
 *
 * Beside the database if possible; inside if the database is a mount point.
 */
export async function makeSideFolder(folder: string, purpose: "copy" | "lock"): Promise<string> {
  const real = await realpath(folder);
  const parent = dirname(real);
  const [own, above] = await Promise.all([stat(real), stat(parent)]);
  const place = own.dev === above.dev ? parent : real;
  await removeAbandoned(place);
  return mkdtemp(join(place, `.${purpose}-${process.pid}-`));
}

async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (Number.isSafeInteger(pid) && !isProcessRunning(pid)) {
      await rm(join(place, name), { recursive: true, force: true });
    }
  }
}
