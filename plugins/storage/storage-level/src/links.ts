import { copyFile, link } from "node:fs/promises";

/** What a file system reports that has no links, or none to another one. */
const NO_LINKS = ["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** Links a file, or copies it where that is not possible. Returns whether it was linked. */
export async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (!isWithoutLinks(error)) throw error;
    await copyFile(from, to);
    return false;
  }
}

/** Whether a link failed because the file system does not have it. */
export function isWithoutLinks(error: unknown): boolean {
  return NO_LINKS.includes(String(Object(error).code));
}
