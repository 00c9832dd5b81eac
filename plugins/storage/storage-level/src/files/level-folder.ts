import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ReadAt } from "./table-file.js";

/** The files of a LevelDB folder by kind; numbers in ascending order. */
export interface LevelFolder {
  readonly path: string;
  readonly tables: readonly number[];
  readonly logs: readonly number[];
  readonly manifests: readonly string[];
  readonly hasCurrent: boolean;
  /** Files that LevelDB does not write. */
  readonly others: readonly string[];
}

/** Files whose content does not matter: locks, LevelDB's messages, and the start of a creation. */
const BESIDE = /^(?:LOCK|LOG|LOG\.old|\d+\.dbtmp)$/;

/** Index and filter of a table, at its end, are mostly smaller; and so are 30 of its blocks. */
const WINDOW_BYTES = 128 * 1024;

/** Lists a folder; a missing one is empty. */
export async function listLevelFolder(path: string): Promise<LevelFolder> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException): string[] => {
    // Creating the folder reports a file in its place.
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  const numbered = (ending: RegExp) =>
    names
      .filter((name) => ending.test(name))
      .map((name) => Number.parseInt(name, 10))
      .sort((a, b) => a - b);
  const known = /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:ldb|log))$/;
  return {
    path,
    tables: numbered(/^\d+\.ldb$/),
    logs: numbered(/^\d+\.log$/),
    manifests: names.filter((name) => /^MANIFEST-\d+$/.test(name)),
    hasCurrent: names.includes("CURRENT"),
    others: names.filter((name) => !known.test(name) && !BESIDE.test(name)),
  };
}

/** The path of a table. */
export function tablePath(folder: string, number: number): string {
  return join(folder, `${pad(number)}.ldb`);
}

/** The path of a write-ahead log. */
export function logPath(folder: string, number: number): string {
  return join(folder, `${pad(number)}.log`);
}

/** The current manifest; throws `RangeError` if `CURRENT` names none. */
export async function readCurrent(folder: string): Promise<string> {
  const text = await readFile(join(folder, "CURRENT"), "latin1");
  if (/^MANIFEST-\d+\n$/.test(text)) return text.trim();
  throw new RangeError("it does not name a manifest");
}

/** Opens a file for random access; what follows a part, or the end of the file, is read with it. */
export async function openParts(
  path: string,
): Promise<AsyncDisposable & { readonly size: number; readonly readAt: ReadAt }> {
  const { size } = await stat(path);
  const file = await open(path, "r");
  let start = 0;
  let window: Uint8Array = new Uint8Array();
  return {
    size,
    async readAt(offset, length) {
      const end = offset + length;
      if (end > size) throw new RangeError("a block extends past the end of the file");
      if (offset < start || end > start + window.length) {
        const from = Math.min(offset, Math.max(0, size - WINDOW_BYTES));
        const bytes = Buffer.allocUnsafe(Math.max(end, Math.min(size, from + WINDOW_BYTES)) - from);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
        if (bytesRead !== bytes.length) throw new RangeError("the file became shorter");
        [start, window] = [from, bytes];
      }
      return window.subarray(offset - start, end - start);
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

function pad(number: number): string {
  return String(number).padStart(6, "0");
}
