import { lstat, opendir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { mapConcurrent } from "@plinth/core/async";

/** Unit of `blocks` in the attributes of a file (POSIX). */
const BLOCK_BYTES = 512;
/** Files whose attributes are read at once. */
const CONCURRENCY = 32;
/** A file that is removed meanwhile, a folder of another user, such as `lost+found`, and links in a circle. */
const SKIPPED: readonly unknown[] = ["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"];

/**
 * The bytes that each member of a data folder takes on the disk, as `du` counts them.
 *
 * The folders of a node are flat. What is deeper does not count, so that a data folder with other
 * content, such as a home folder, is measured as fast. A member may be a link to another disk.
 */
export async function measureMembers(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await unlessSkipped(stat(path));
    if (found === undefined) continue;
    const inside = found.isDirectory() ? await measureFiles(path) : 0;
    sizes.set(name, bytesOf(found) + inside);
  }
  return sizes;
}

async function measureFiles(folder: string): Promise<number> {
  // In pieces: reading tens of thousands of names at once would hold up the event loop.
  const files = await unlessSkipped(opendir(folder, { bufferSize: CONCURRENCY }));
  const measure = async ({ name }: { readonly name: string }) => {
    const found = await unlessSkipped(lstat(join(folder, name)));
    return found === undefined ? 0 : bytesOf(found);
  };
  let bytes = 0;
  for await (const size of mapConcurrent(files ?? [], measure, { concurrency: CONCURRENCY })) {
    bytes += size;
  }
  return bytes;
}

function bytesOf({ blocks }: { readonly blocks: number }): number {
  return blocks * BLOCK_BYTES;
}

async function unlessSkipped<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (SKIPPED.includes(Object(error).code)) return undefined;
    throw error;
  }
}
