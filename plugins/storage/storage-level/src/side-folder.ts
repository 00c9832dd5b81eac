import { mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Work in progress on a database, named after its process so that what a killed one left is recognised. */
const NAME = /^\.(?:copy|lock)-(\d+)-/;

/**
 * Makes a folder on the file system of a database, for links to its files.
 *
 * Beside the database where that is possible; inside where the database is a mount point.
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
    if (Number.isSafeInteger(pid) && !isRunning(pid)) {
      await rm(join(place, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
