import { statfs } from "node:fs/promises";
import { PlinthError } from "@plinth/core";

/** Disk space that a node needs in its first hour, with some margin. */
const BYTES_PER_NODE = 32 * 2 ** 20;

/** Throws if a folder has not enough disk space for the nodes. */
export async function verifyDiskSpace(folder: string, nodes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const needed = nodes * BYTES_PER_NODE;
  if (free >= needed) return;
  throw new PlinthError("NO_ROOM", {
    message: `not enough disk space in ${folder}: ${inMebibytes(free)} MiB are free, ${nodes} nodes need at least ${inMebibytes(needed)} MiB`,
    path: folder,
  });
}

function inMebibytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}
