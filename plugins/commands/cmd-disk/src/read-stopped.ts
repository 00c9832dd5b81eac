import { join } from "node:path";
import type { StorageFiles } from "@plinth/core/storage";
import {
  createDiskReport,
  DATABASE,
  type DiskReport,
  measureDisk,
  readSamples,
  SAMPLES_TABLE,
} from "@plinth/plugin-disk-usage/api";

/** The report of a data folder that no node is using; nothing in it is changed. */
export async function readStopped(dataPath: string, files: StorageFiles): Promise<DiskReport> {
  const store = await files.openCopy({ folder: join(dataPath, DATABASE) });
  try {
    const tables = (await store.tableSizes?.()) ?? new Map();
    const samples = await readSamples(store.table(SAMPLES_TABLE));
    return createDiskReport(await measureDisk(dataPath, tables), samples);
  } finally {
    await store.close();
  }
}
