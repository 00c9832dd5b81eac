import { open } from "node:fs/promises";
import { listLevelFolder, logPath } from "./files/level-folder.js";

/**
 * Syncs the write-ahead logs of an open database to disk.
 *
 * A synced write of LevelDB covers only its current log: the end of the previous log, if not in a table yet, may still
 * be lost while later blocks are kept. It also makes other writes wait.
 */
export async function syncLogs(folder: string): Promise<void> {
  const { logs } = await listLevelFolder(folder);
  await Promise.all(logs.map((number) => syncFile(logPath(folder, number))));
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    // Its content has become a table, which LevelDB syncs before it removes the log.
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return;
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
