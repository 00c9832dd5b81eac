import { access, constants, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";

/**
 * Writes the id of this process into a file, if one is configured; the returned function removes
 * it.
 */
export async function writePidFile(path: unknown): Promise<() => Promise<void>> {
  if (typeof path !== "string") return async () => {};
  try {
    await writeFile(path, String(process.pid));
  } catch (error) {
    throw notWritable(path, error);
  }
  return () => rm(path, { force: true });
}

/** Throws if the file could not be written; writes nothing. */
export async function verifyPidFile(path: unknown): Promise<void> {
  if (typeof path !== "string") return;
  try {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) throw new Error("it is a folder");
    await access(found === undefined ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw notWritable(path, error);
  }
}

function notWritable(path: string, cause: unknown): ConfigError {
  return new ConfigError("OUTPUT_UNWRITABLE", {
    message: `--pid-path: cannot write ${path}: ${messageOf(cause)}`,
    ...{ path, cause },
  });
}
