import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf, PlinthError } from "./errors.js";

/** A file to write. */
export interface NewFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** Whether only its owner may read it, as with keys. */
  readonly isSecret?: boolean;
}

const OWNER_ONLY = 0o600;

/** Throws unless files can be written to a folder: it must be empty, or missing. */
export async function verifyTarget(to: string): Promise<void> {
  const entries = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw unwritable(to, error);
  });
  if (entries.length > 0) {
    throw new PlinthError("OUTPUT_EXISTS", {
      message: `Output directory already exists. ${to} is not empty`,
      path: to,
    });
  }
}

/**
 * Writes files into a folder whose parent exists, all of them or none; the last file appears last.
 *
 * They are written under a temporary name in the parent, or in the folder itself if it exists,
 * since it may be a mount; then they are moved.
 */
export async function writeFolder(to: string, files: readonly NewFile[]): Promise<void> {
  const isThere = await stat(to).then(
    () => true,
    () => false,
  );
  const suffix = `${randomBytes(6).toString("hex")}.tmp`;
  const draft = isThere ? join(to, suffix) : `${to}.${suffix}`;
  try {
    await mkdir(draft);
    for (const file of files) await writeNew(draft, file);
    if (!isThere) return await rename(draft, to);
    await moveInto(to, draft, files);
  } catch (error) {
    throw unwritable(to, error);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function writeNew(folder: string, { path, content, isSecret }: NewFile): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  const mode = isSecret === true ? { mode: OWNER_ONLY } : {};
  await writeFile(target, content, { flag: "wx", ...mode });
}

/** Moves files and folders in list order: once the last one is present, all are. */
async function moveInto(to: string, draft: string, files: readonly NewFile[]): Promise<void> {
  const names = new Set(files.map(({ path }) => path.split("/")[0] ?? path));
  const moved: string[] = [];
  try {
    for (const name of names) {
      await rename(join(draft, name), join(to, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) await rm(join(to, name), { recursive: true, force: true });
    throw error;
  }
}

function unwritable(to: string, cause: unknown): PlinthError {
  return new PlinthError("OUTPUT_UNWRITABLE", {
    message: `cannot write to ${to}: ${messageOf(cause)}`,
    path: to,
    cause,
  });
}
