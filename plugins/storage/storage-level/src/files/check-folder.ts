import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "@plinth/core";
import {
  type LevelFolder,
  listLevelFolder,
  logPath,
  openParts,
  readCurrent,
  tablePath,
} from "./level-folder.js";
import { readVersion } from "./manifest.js";
import { readRecords } from "./record-file.js";
import { TableFile, type TableProblem } from "./table-file.js";

/** A damaged file of a database, and the position. */
export interface FileProblem extends Partial<TableProblem> {
  readonly file: string;
  readonly problem: string;
}

const FIRST_MANIFEST = "MANIFEST-000001";

/** Options of the check. */
export interface CheckSettings {
  /**
   * Total size of tables to read completely, the newest one in any case; of others, only index and filter are read.
   */
  readonly maxTableBytes?: number;
  /** Called with the path of every table of which only index and filter are read. */
  readonly onSkipped?: (path: string) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Checks the files of a LevelDB database against their CRCs.
 *
 * Reads them without LevelDB, which would drop damaged records of its log, delete tables that a damaged manifest no
 * longer lists, and serve damaged blocks. Nothing is written.
 */
export async function* checkLevelFolder(
  path: string,
  settings: CheckSettings = {},
): AsyncGenerator<FileProblem> {
  const folder = await listLevelFolder(path);
  if (!folder.hasCurrent) {
    yield { file: "CURRENT", problem: "it is missing, although there are files of a database" };
  } else {
    yield* checkManifest(folder);
  }
  for (const number of folder.logs) yield* checkLog(logPath(path, number));
  const isUsed = await findUsedTables(folder);
  yield* checkTables({ ...folder, tables: folder.tables.filter(isUsed) }, settings);
}

/**
 * The tables that belong to the database: those that the manifest lists, or all if it cannot be read.
 *
 * A process killed during a compaction leaves tables behind that are listed nowhere and may be truncated. LevelDB
 * deletes them when it opens the folder.
 */
export async function findUsedTables(folder: LevelFolder): Promise<(table: number) => boolean> {
  for await (const _ of checkManifest(folder)) return () => true;
  const { tables } = await readManifest(folder.path, await readCurrent(folder.path));
  return (table) => tables.has(table);
}

/** Checks that the manifest can be read and that the files it lists exist. */
export async function* checkManifest(folder: LevelFolder): AsyncGenerator<FileProblem> {
  let file = "CURRENT";
  try {
    file = await readCurrent(folder.path);
    const { problems, tables, logNumber } = await readManifest(folder.path, file);
    for (const problem of problems) yield { file, ...problem };
    if (problems.length > 0) return;
    if (!existsSync(logPath(folder.path, logNumber)) && !(await isBeingCreated(folder))) {
      const problem = `it is missing, or ${file}, which names it, was cut off`;
      yield { file: basename(logPath("", logNumber)), problem };
    }
    for (const [number, size] of tables) yield* checkSize(tablePath(folder.path, number), size);
  } catch (error) {
    yield { file, problem: messageOf(error) };
  }
}

/**
 * Whether a process was killed while LevelDB created the folder: the first manifest names no log (number 0) until the
 * second one replaces it, and nothing is written before that.
 */
async function isBeingCreated({ path, tables, logs }: LevelFolder): Promise<boolean> {
  if (tables.length > 0 || (await readCurrent(path)) !== FIRST_MANIFEST) return false;
  const sizes = await Promise.all(logs.map(async (log) => (await stat(logPath(path, log))).size));
  return sizes.every((size) => size === 0);
}

async function readManifest(folder: string, file: string) {
  const items = [...readRecords(await readFile(join(folder, file)))];
  const problems = items.filter((item) => "problem" in item);
  const records = items.flatMap((item) => ("bytes" in item ? [item.bytes] : []));
  return { problems, ...readVersion(problems.length > 0 ? [] : records) };
}

async function* checkSize(path: string, size: number): AsyncGenerator<FileProblem> {
  const found = await stat(path).catch(() => undefined);
  const file = basename(path);
  if (found === undefined) yield { file, problem: "it is missing" };
  else if (found.size !== size) {
    yield { file, problem: `it has ${found.size} bytes instead of ${size}` };
  }
}

async function* checkLog(path: string): AsyncGenerator<FileProblem> {
  for (const item of readRecords(await readFile(path))) {
    if ("problem" in item) yield { file: basename(path), ...item };
  }
}

async function* checkTables(
  { path, tables }: LevelFolder,
  { maxTableBytes = Number.POSITIVE_INFINITY, onSkipped, onProgress }: CheckSettings,
): AsyncGenerator<FileProblem> {
  let bytes = 0;
  for (const [done, number] of [...tables].reverse().entries()) {
    const file = tablePath(path, number);
    onProgress?.(done, tables.length);
    const found = await stat(file).catch(() => undefined);
    bytes += found?.size ?? 0;
    const isWhole = done === 0 || bytes <= maxTableBytes;
    if (!isWhole) onSkipped?.(file);
    const part =
      maxTableBytes === Number.POSITIVE_INFINITY ? "content" : isWhole ? "sums" : "index";
    for await (const problem of checkTable(file, part)) if (problem) yield problem;
  }
}

/** What is checked of a table: CRCs of index and filter, those of all blocks, or that all blocks can be read. */
type CheckedPart = "index" | "sums" | "content";

/** Checks a table, yielding `undefined` for each intact block. */
export async function* checkTable(
  path: string,
  part: CheckedPart,
): AsyncGenerator<FileProblem | undefined> {
  const file = basename(path);
  try {
    await using parts = await openParts(path);
    if (part === "index") {
      await TableFile.checkIndex(parts.readAt, parts.size);
      return;
    }
    const table = await TableFile.open(parts.readAt, parts.size);
    const checked = part === "sums" ? table.checkSums() : table.check();
    for await (const problem of checked) yield problem && { file, ...problem };
  } catch (error) {
    yield { file, problem: messageOf(error) };
  }
}
