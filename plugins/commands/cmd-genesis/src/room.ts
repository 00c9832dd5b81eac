import { statfs } from "node:fs/promises";
import { PlinthError } from "@plinth/core";

/** What a node writes in its first hour, with some to spare. */
const BYTES_PER_NODE = 32 * 2 ** 20;

/** Throws when there is no room in a folder for so many nodes. */
export async function verifyRoom(folder: string, nodes: number): Promise<void> {
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
