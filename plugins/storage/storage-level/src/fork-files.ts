import { existsSync } from "node:fs";
import { copyFile, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "@plinth/core";
import type { ForkedFiles } from "@plinth/core/storage";
import { checkManifest, findUsedTables } from "./files/check-folder.js";
import { listLevelFolder, logPath, readCurrent, tablePath } from "./files/level-folder.js";
import { lockFolder } from "./folder-lock.js";
import { linkOrCopy } from "./links.js";

/**
 * Makes a new database from one that no process has open; see `StorageFiles.fork`.
 *
 * Tables that the manifest lists are immutable: LevelDB removes its name of one that it has replaced, and never writes to it again.
 */
export async function forkFiles(folder: string, to: string): Promise<ForkedFiles> {
  if (!existsSync(join(folder, "CURRENT"))) {
    throw new StorageError("STORAGE_UNREADABLE", {
      message: `${folder} is not a database: it has no file CURRENT`,
      folder,
    });
  }
  await mkdir(to, { recursive: true });
  await using _lock = await lockFolder(folder, to);
  // Another process may have had it open until now, and may have written tables.
  const files = await listLevelFolder(folder);
  for await (const { file, problem } of checkManifest(files)) {
    throw new StorageError("STORAGE_UNREADABLE", {
      message: `${folder} is damaged: ${file}: ${problem}`,
      folder,
    });
  }
  // Recovery of a log writes tables under the next numbers, into files that a kill may have left there.
  const tables = files.tables.filter(await findUsedTables(files));
  const forked = { linked: 0, copied: 0, bytes: 0 };
  for (const number of tables) {
    const path = tablePath(to, number);
    if (await linkOrCopy(tablePath(folder, number), path)) forked.linked += 1;
    else {
      forked.copied += 1;
      forked.bytes += await sizeOf(path);
    }
  }
  for (const number of files.logs) await copyFile(logPath(folder, number), logPath(to, number));
  const manifest = await readCurrent(folder);
  for (const name of [manifest, "CURRENT"]) await copyFile(join(folder, name), join(to, name));
  return forked;
}

async function sizeOf(path: string): Promise<number> {
  await using file = await open(path);
  return (await file.stat()).size;
}
