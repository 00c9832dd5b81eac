import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";

/** Throws where a start could neither use nor make its data folder; nothing is made. */
export function verifyDataPath(path: string): void {
  try {
    verifyPlace(path, path);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw refused(`data-path: cannot use the folder ${path}: ${messageOf(cause)}`, cause);
  }
}

/** A folder that is missing is made in the one above it. */
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
        : `data-path: cannot make the folder ${path}: ${place} is not a directory`,
    );
  }
  accessSync(place, constants.W_OK);
}

function refused(message: string, cause?: unknown): ConfigError {
  return new ConfigError("DATA_PATH_INVALID", { message, cause });
}
