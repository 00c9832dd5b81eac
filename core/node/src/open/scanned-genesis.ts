import type { BigIntStats } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AllocInFile } from "@plinth/core/genesis";
import { decodeChecked, encodeChecked, replaceFile } from "@plinth/core/storage";

/** The path of the record in a data folder. */
const RECORD_FILE = "genesis-file.json";

/** What was found in a large genesis file. */
export interface ScannedGenesis {
  /** Without `alloc`. */
  readonly json: unknown;
  readonly alloc: AllocInFile | undefined;
  /** The file and its version. */
  readonly version: string;
}

/** File systems count in units of up to two seconds (FAT). */
const SETTLED_MS = 3_000;

/** Whether the next change of a file gives it another time: a change just now may share it with the next one. */
export function isSettled({ mtimeMs }: BigIntStats): boolean {
  return Date.now() - Number(mtimeMs) >= SETTLED_MS;
}

/** A file and its version. */
export function versionOf(path: string, { ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [resolve(path), ino, size, mtimeNs, ctimeNs].join(" ");
}

/** The content that an earlier start found in this version of a file, as recorded in the data folder. */
export async function findScan(
  dataPath: string,
  version: string,
): Promise<ScannedGenesis | undefined> {
  const text = await readFile(join(dataPath, RECORD_FILE), "utf8").catch(() => undefined);
  const record = text === undefined ? undefined : decodeChecked(text);
  return record?.version === version ? (record as unknown as ScannedGenesis) : undefined;
}

/** Records the content for later starts. */
export async function recordScan(dataPath: string, scan: ScannedGenesis): Promise<void> {
  if ((await findScan(dataPath, scan.version)) !== undefined) return;
  await replaceFile(join(dataPath, RECORD_FILE), encodeChecked(scan), { isSynced: false });
}
