import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";

/** Creates the data folder if it is missing. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeWithParents(path);
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new ConfigError("DATA_PATH_INVALID", {
      message: isFile
        ? `${path}: already exists and is not a directory.`
        : `data-path: cannot create the folder ${path}: ${messageOf(error)}`,
      cause: error,
    });
  }
}

/** On a file system without folders, such as /proc, the recursion of Node.js does not end. */
async function makeWithParents(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !(await isFolder(dirname(path)))) {
      await makeWithParents(dirname(path));
      await makeWithParents(path);
    } else if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
