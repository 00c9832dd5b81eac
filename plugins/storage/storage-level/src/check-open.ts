import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "@plinth/core";
import { type CheckSettings, checkLevelFolder, type FileProblem } from "./files/check-folder.js";
import { listLevelFolder } from "./files/level-folder.js";
import { lockFolder } from "./folder-lock.js";
import { WAYS_OUT } from "./level-errors.js";

/**
 * Total size of the tables that are read completely at the start, the newest first.
 *
 * The newest one, which a crash may have cut off, is read whatever its size is. The others are read while the node runs, so
 * that a large database starts nearly as fast as a small one.
 */
const MAX_TABLE_BYTES = 8 * 1024 * 1024;
const MAX_SHOWN = 3;

/**
 * Throws `STORAGE_DAMAGED` if files of a database do not match their CRCs, before LevelDB opens
 * them.
 */
export async function verifyFiles(
  folder: string,
  { maxTableBytes = MAX_TABLE_BYTES, onSkipped }: CheckSettings = {},
): Promise<void> {
  if (!(await listLevelFolder(folder)).hasCurrent) return;
  const skipped: string[] = [];
  const settings = { maxTableBytes, onSkipped: (path: string) => skipped.push(path) };
  if ((await findProblems(folder, settings)).length === 0) {
    for (const path of skipped) onSkipped?.(path);
    return;
  }
  // Files that another process is writing look damaged as well.
  await using _lock = await lockFolder(folder);
  const problems = await findProblems(folder, { maxTableBytes });
  if (problems.length > 0) throw damagedFiles(folder, problems);
}

async function findProblems(
  folder: string,
  settings: CheckSettings,
): Promise<readonly FileProblem[]> {
  const problems: FileProblem[] = [];
  for await (const problem of checkLevelFolder(folder, settings)) problems.push(problem);
  return problems;
}

/** Throws `STORAGE_DAMAGED` if LevelDB logged that it dropped data while it opened. */
export async function verifyNothingDropped(folder: string): Promise<void> {
  const text = await readFile(join(folder, "LOG"), "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => /dropping \d+ bytes|Corruption/.test(line));
  if (lines.length === 0) return;
  throw damagedFiles(
    folder,
    lines.map((line) => ({ file: "LOG", problem: line.replace(/^\S+ \S+ /, "") })),
  );
}

function damagedFiles(folder: string, problems: readonly FileProblem[]): StorageError {
  const shown = problems.slice(0, MAX_SHOWN).map(showProblem).join("; ");
  const rest = problems.length > MAX_SHOWN ? `; and ${problems.length - MAX_SHOWN} more` : "";
  return new StorageError("STORAGE_DAMAGED", {
    message: `${folder} is damaged: ${shown}${rest}. Nothing was changed. ${WAYS_OUT}`,
    folder,
    problems,
  });
}

/** `000012.ldb at byte 4096: a block …`. */
export function showProblem({ file, offset, problem }: FileProblem): string {
  return `${file}${offset === undefined ? "" : ` at byte ${offset}`}: ${problem}`;
}
