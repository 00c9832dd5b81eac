import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, command, option, StorageError } from "@plinth/core";
import { type StorageFiles, storageDrivers } from "@plinth/core/storage";
import { accessFlags } from "@plinth/plugin-cmd-status/api";
import { DATABASE, type DiskReport } from "@plinth/plugin-disk-usage/api";
import { type AskedNode, askReport } from "./ask-report.js";
import { formatReport } from "./format-report.js";
import { readStopped } from "./read-stopped.js";

/** `disk`: what takes how much space, how fast it grows, and when the disk is full. */
export const disk = command({
  id: "disk",
  summary:
    "Shows what takes how much disk space, its growth and a forecast, of a running or a stopped node; of a stopped one it takes as long as a start.",
  examples: ["plinth --data-path=data disk", "plinth disk --url=http://127.0.0.1:8545 --json"],
  flags: {
    ...accessFlags,
    json: option.flag({ summary: "Prints one JSON object instead of a table." }),
  },
  uses: { points: [storageDrivers] },
  async run({ flags, io, dataPath, driver, signal }) {
    const asked = { flags, dataPath, signal };
    const report =
      flags.url === undefined
        ? await findReport(driver(storageDrivers), asked)
        : await askReport(asked);
    await io.write(flags.json ? JSON.stringify(report) : formatReport(report));
  },
});

/** Of the folder itself if no node is using it, otherwise of that node. */
async function findReport(
  { name, files }: { readonly name: string; readonly files?: StorageFiles },
  asked: AskedNode,
): Promise<DiskReport> {
  const folder = join(asked.dataPath, DATABASE);
  if (files === undefined) {
    throw new ConfigError("STORAGE_WITHOUT_FILES", {
      message: `the storage driver ${name} stores nothing on disk`,
    });
  }
  if (!existsSync(folder)) {
    throw new ConfigError("DATABASE_MISSING", {
      message: `there is no database in ${folder}; specify the node's --data-path`,
    });
  }
  const lock = await lockUnlessUsed(files, folder);
  if (lock === undefined) return askReport(asked);
  await using _lock = lock;
  return readStopped(asked.dataPath, files);
}

/** `undefined` if a node is using the database. */
async function lockUnlessUsed(
  files: StorageFiles,
  folder: string,
): Promise<AsyncDisposable | undefined> {
  try {
    return await files.lock({ folder });
  } catch (error) {
    if (error instanceof StorageError && error.code === "STORAGE_LOCKED") return undefined;
    throw error;
  }
}
