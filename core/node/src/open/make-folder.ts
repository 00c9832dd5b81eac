import { mkdir } from "node:fs/promises";
import { ConfigError, messageOf } from "@plinth/core";

/** Makes the data folder where it is missing. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new ConfigError("DATA_PATH_INVALID", {
      message: isFile
        ? `${path}: already exists and is not a directory.`
        : `data-path: cannot make the folder ${path}: ${messageOf(error)}`,
      cause: error,
    });
  }
}
