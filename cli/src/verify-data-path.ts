import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";

/** Throws if a start could neither use nor create its data folder; creates nothing. */
export function verifyDataPath(path: string): void {
  try {
    verifyPlace(path, path);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw refused(`data-path: cannot use the folder ${path}: ${messageOf(cause)}`, cause);
  }
}

/** A missing folder is created in its parent. */
function verifyPlace(place: string, path: string): void {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) {
    verifyPlace(dirname(place), path);
    return;
  }
  if (!found.isDirectory()) {
    throw refused(
      place === path
        ? `${path}: already exists and is not a directory.`
        : `data-path: cannot create the folder ${path}: ${place} is not a directory`,
    );
  }
  accessSync(place, constants.W_OK);
}

function refused(message: string, cause?: unknown): ConfigError {
  return new ConfigError("DATA_PATH_INVALID", { message, cause });
}
