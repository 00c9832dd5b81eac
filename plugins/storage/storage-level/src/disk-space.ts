import { statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { Health } from "@plinth/core";

/**
 * With less than this the next blocks may be the last: the database needs space to compact its
 * tables.
 */
const LOW_BYTES = 512 * 2 ** 20;

/** Whether the disk of a folder has space for more blocks. */
export async function checkDiskSpace(
  folder: string,
  read: typeof readFreeBytes = readFreeBytes,
): Promise<Health> {
  const free = await read(folder);
  if (free >= LOW_BYTES) return { status: "up" };
  const left = `${Math.floor(free / 2 ** 20)} MiB are left on the disk of ${folder}`;
  const detail = `${left}; the node stops when a block cannot be written: free some space, or move the folder`;
  return { status: "degraded", detail };
}

/** The disk of a folder, in bytes. */
export interface DiskSpace {
  readonly free: number;
  readonly total: number;
}

/** Free space on the disk of a folder. */
export function readDiskSpace(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
