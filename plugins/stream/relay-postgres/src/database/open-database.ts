import { readFile } from "node:fs/promises";
import { type Clock, ConfigError, messageOf } from "@plinth/core";
import type { Database } from "./database.js";
import type { Location } from "./location.js";
import { openServer } from "./pg-database.js";
import { openFolder } from "./pglite-database.js";

/** What opens a database. */
export interface DatabaseSettings {
  readonly location: Location;
  readonly passwordFile: string | undefined;
  readonly clock: Clock;
}

/** Opens a connection; the password is read each time, so that it can be changed. */
export async function openDatabase({
  location,
  passwordFile,
  clock,
}: DatabaseSettings): Promise<Database> {
  if (location.kind === "folder") return openFolder(location.folder);
  const password = passwordFile === undefined ? undefined : await readPassword(passwordFile);
  return openServer(location, { password, clock });
}

async function readPassword(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).replace(/\r?\n$/, "");
  } catch (cause) {
    throw new ConfigError("RELAY_PASSWORD_UNREADABLE", {
      message: `--relay-postgres-password-file: ${messageOf(cause)}`,
      cause,
    });
  }
}
