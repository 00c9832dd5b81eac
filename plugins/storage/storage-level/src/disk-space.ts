import { type StatsFs, statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { Health } from "@plinth/core";

/**
 * With less than this the next blocks may be the last: the database needs space to compact its
 * tables.
 */
const LOW_BYTES = 512 * 2 ** 20;
/** Below this share of the disk it is low as well, up to a size that is ample on any disk. */
const LOW_SHARE = 0.05;
const AMPLE_BYTES = 2 * 2 ** 30;

/** Whether the disk of a folder has space for more blocks. */
export async function checkDiskSpace(
  folder: string,
  read: typeof readSpace = readSpace,
): Promise<Health> {
  const { free, total } = await read(folder);
  if (free >= Math.max(LOW_BYTES, Math.min(total * LOW_SHARE, AMPLE_BYTES))) {
    return { status: "up" };
  }
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
  return toSpace(statfsSync(folder));
}

async function readSpace(folder: string): Promise<DiskSpace> {
  return toSpace(await statfs(folder));
}

function toSpace({ bavail, blocks, bsize }: StatsFs): DiskSpace {
  return { free: bavail * bsize, total: blocks * bsize };
}
