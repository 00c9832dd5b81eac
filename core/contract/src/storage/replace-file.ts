import { open, rename, rm } from "node:fs/promises";

/**
 * Writes a file atomically: a crash leaves the old content or the new; with `isSynced` it is on
 * disk afterwards.
 */
export async function replaceFile(
  path: string,
  text: string,
  { isSynced }: { readonly isSynced: boolean },
): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, "w", 0o644);
    try {
      await file.writeFile(text);
      if (isSynced) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
