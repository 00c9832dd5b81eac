import type { Hash } from "@plinth/core";
import { type Clock, ConfigError, PlinthError, systemClock } from "@plinth/core";
import type { Database } from "../database/database.js";
import { formatLocation, parseLocation } from "../database/location.js";
import type { openDatabase } from "../database/open-database.js";
import type { CursorRow } from "../schema/cursor-row.js";
import { findCursor } from "../schema/cursor-row.js";
import { hasSchema, selectSchema } from "../schema/migrate.js";

/** The options of the relay that commands read. */
export interface TableOptions {
  readonly relayPostgresUrl: string | undefined;
  readonly relayPostgresPasswordFile: string | undefined;
  readonly relayPostgresSchema: string;
  readonly relayPostgresAbiFiles: readonly string[];
  readonly relayPostgresBatchBlocks: number;
}

/** Connects a command to the database of the options; the caller closes it. */
export async function connect(
  { relayPostgresUrl: url, relayPostgresPasswordFile: passwordFile }: TableOptions,
  open: typeof openDatabase,
  clock: Clock = systemClock,
): Promise<{ readonly database: Database; readonly name: string }> {
  if (url === undefined) {
    throw new ConfigError("RELAY_URL_MISSING", {
      message:
        "this command needs --relay-postgres-url, the database of the relay, before its name",
    });
  }
  const location = parseLocation(url);
  return {
    database: await open({ location, passwordFile, clock }),
    name: formatLocation(location),
  };
}

/** Selects the tables, and reads their cursor; throws `PlinthError` if there are none. */
export async function selectTables(
  database: Database,
  schema: string,
): Promise<{ readonly genesis: Hash; readonly cursor: CursorRow }> {
  const isThere = await hasSchema(database, schema);
  if (isThere) await selectSchema(database, schema);
  const found = isThere ? await findCursor(database) : undefined;
  if (found !== undefined) return found;
  throw new PlinthError("RELAY_TABLES_MISSING", {
    message: `the schema ${schema} has no tables of a relay; a node with --relay-postgres-url creates them`,
  });
}
