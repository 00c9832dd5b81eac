import { randomBytes } from "node:crypto";
import { type FileHandle, link as linkFile, open, unlink } from "node:fs/promises";

/** Error codes of file systems without hard links: FAT, SMB shares, some container mounts. */
const NO_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * Creates a file that only its owner can read; `false` if one exists already, which is kept.
 *
 * A reader sees the whole file or none, even after a power failure: the text is first flushed to disk under another
 * name. A rename would replace the file of a faster process; a link does not.
 */
export async function createOnce(
  { path, text }: { readonly path: string; readonly text: string },
  link = linkFile,
): Promise<boolean> {
  const draft = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  await writeNew(draft, text);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (NO_LINKS.has(codeOf(error))) return await writeOnce(path, text);
    throw error;
  } finally {
    await unlink(draft);
  }
}

/**
 * Without links the file is visible while it is written, but still only the first process writes
 * it.
 */
async function writeOnce(path: string, text: string): Promise<boolean> {
  try {
    await writeNew(path, text);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "wx", 0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file?.close();
  }
}

/** The code of an operating system error. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
