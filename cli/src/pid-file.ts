import { rm, writeFile } from "node:fs/promises";
import { ConfigError, messageOf } from "@plinth/core";

/** Writes the id of this process into a file, where one is named; the answer removes it. */
export async function writePidFile(path: unknown): Promise<() => Promise<void>> {
  if (typeof path !== "string") return async () => {};
  try {
    await writeFile(path, String(process.pid));
  } catch (error) {
    throw new ConfigError("OUTPUT_UNWRITABLE", {
      message: `--pid-path: cannot write ${path}: ${messageOf(error)}`,
      path,
      cause: error,
    });
  }
  return () => rm(path, { force: true });
}
